"""A pytest plug-in: tests that a model looks as it did before.

    def test_miku(odori_picture):
        odori_picture.check("miku.pmx", motion="dance.vmd", frame=300)

pytest loads it by itself where the package is installed, else by `-p odori.pytest_plugin`. The first run fails,
because there is no baseline; `pytest --odori-accept` writes it to the folder `baselines` beside the test, with the
names of what each pixel shows (`.ids.png`), so that reports name the material that differs. Later runs compare with it.
A check that fails writes a report to `odori-report` (`--odori-report DIR`), and says where.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional, Tuple, Union

import pytest

if TYPE_CHECKING:  # other projects' tests should not load numpy because this is installed
    from .pictures import Array, Comparison
    from .stage import Stage

PathLike = Union[str, "os.PathLike[str]"]
_ACCEPTED = "_odori_accepted"


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("odori", "pictures of models (odori)")
    group.addoption("--odori-accept", action="store_true", help="write baselines that are missing or differ")
    group.addoption(
        "--odori-report", metavar="DIR", help="folder for reports of pictures that differ (odori-report in rootdir)"
    )


def pytest_configure(config: Any) -> None:
    setattr(config, _ACCEPTED, [])


def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    accepted = getattr(config, _ACCEPTED)
    if accepted:
        terminalreporter.section("odori: accepted")
        for path in accepted:
            terminalreporter.line(_shown(path))


def _shown(path: Path) -> str:
    """Returns a path as a user in this folder would write it."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith(os.path.join("..", "..")) else relative


def _name_of(node: Any) -> str:
    """Makes the name of a test's files from its id: "test_dance.test_miku". An id with other characters than those of
    names gets a hash, so that no two tests share a file."""
    inside = node.nodeid.split("::", 1)[-1]
    whole = node.path.stem + "." + inside.replace("::", ".")
    name = re.sub(r"[^\w.-]+", "-", whole).strip("-")
    plain = re.fullmatch(r"[\w.]+(\[[\w.-]+\])?", whole)
    return name if plain else "{}-{}".format(name, hashlib.sha1(whole.encode()).hexdigest()[:8])


def find_program() -> Optional[str]:
    """Returns the program `odori`: by ODORI_PROGRAM, below the package's prefix, in the build, or in PATH; or None."""
    given = os.environ.get("ODORI_PROGRAM")
    if given is not None:
        return given or None
    package = Path(__file__).resolve().parent
    if package.parent.name in ("dist-packages", "site-packages"):
        beside = package.parents[3] / "bin" / "odori"
    else:
        beside = package.parents[1] / "build" / "odori"
    return str(beside) if os.access(beside, os.X_OK) else shutil.which("odori")


class PictureCheck:
    """The fixture `odori_picture` of one test."""

    def __init__(self, node: Any) -> None:
        self._node = node
        self._used: Dict[str, int] = {}

    @contextlib.contextmanager
    def _folder(self) -> Iterator[None]:
        """Makes the folder of the test current, from which paths of models lead."""
        before = os.getcwd()
        os.chdir(self._node.path.parent)
        try:
            yield
        finally:
            os.chdir(before)

    def check(
        self,
        model: Union[PathLike, Iterable[PathLike]],
        motion: Union[PathLike, Iterable[PathLike], None] = None,
        frame: Optional[float] = None,
        size: Tuple[int, int] = (1280, 720),
        *,
        name: str = "",
        limits: Optional[Dict[str, float]] = None,
        **options: Any,
    ) -> None:
        """Draws a frame as `odori.shot` does, and compares it with its baseline.

        Paths lead from the folder of the test. limits are those of `odori.compare`; without any the pictures have to be
        equal, which they are with the same version and driver. name tells several checks of a test apart; else the
        second gets -2, and so on. options are those of `odori.shot`.
        """
        from .stage import stage_of

        scene = {key: options.pop(key) for key in ("camera", "physics") if key in options}
        with self._folder():
            stage = stage_of(model, motion, frame, **scene)
        with stage:
            self._judge(stage.picture(size, **options), name, limits, stage)

    def check_picture(
        self, picture: "Array", *, name: str = "", limits: Optional[Dict[str, float]] = None
    ) -> None:
        """Compares an array, such as that of `Stage.picture`, with its baseline."""
        self._judge(picture, name, limits, None)

    def _judge(
        self, picture: "Array", name: str, limits: Optional[Dict[str, float]], stage: "Optional[Stage]"
    ) -> None:
        """Compares a picture with its baseline, or accepts it, with the ids of the stage that it shows."""
        from . import compare, write_picture

        title = _name_of(self._node) + ("." + re.sub(r"[^\w.-]+", "-", name) if name else "")
        self._used[title] = self._used.get(title, 0) + 1
        if self._used[title] > 1:
            title += "-{}".format(self._used[title])
        baseline = self._node.path.parent / "baselines" / (title + ".png")
        accepts = self._node.config.getoption("--odori-accept")
        comparison = compare(baseline, picture, **(limits or {})) if baseline.exists() else None
        if comparison is not None and comparison.passed:
            return
        if accepts:
            baseline.parent.mkdir(exist_ok=True)
            write_picture(baseline, picture)
            if stage is not None:
                stage.write_ids(baseline.with_suffix(".ids.png"), (picture.shape[1], picture.shape[0]))
            getattr(self._node.config, _ACCEPTED).append(baseline)
            return
        lines = self._report(title, baseline, picture, comparison)
        lines.append("to accept the picture: " + self._command())
        pytest.fail("\n".join(lines), pytrace=False)

    def _command(self) -> str:
        config = self._node.config
        path = os.path.relpath(self._node.path, config.invocation_params.dir)
        inside = self._node.nodeid.split("::", 1)[-1]
        return "pytest {} --odori-accept".format(shlex.quote("{}::{}".format(path, inside)))

    def _report(
        self, title: str, baseline: Path, picture: "Array", comparison: "Optional[Comparison]"
    ) -> List[str]:
        """Writes what a person needs to judge the picture, and returns the lines of the message about it."""
        from . import heat_map, write_picture

        config = self._node.config
        given = config.getoption("--odori-report")
        base = Path(config.invocation_params.dir, given) if given else Path(config.rootpath, "odori-report")
        folder = base / title
        folder.mkdir(parents=True, exist_ok=True)
        drawn = folder / "picture.png"
        write_picture(drawn, picture)
        if comparison is None:
            return ["there is no baseline {}".format(_shown(baseline)), "the picture: " + _shown(drawn)]
        lines = ["{}: {}".format(title, comparison.why)]
        if comparison.exceeded and comparison.exceeded not in comparison.why:
            lines.append(comparison.exceeded)
        lines.append("baseline: " + _shown(baseline))
        page, cause = _page(baseline, drawn, folder / "report")
        if page:
            return [*lines, "the program says: " + cause, "report: " + _shown(page)]
        shutil.copyfile(baseline, folder / "baseline.png")
        write_picture(folder / "heat.png", heat_map(baseline, picture))
        lines.append("baseline.png, picture.png and heat.png are in " + _shown(folder))
        return lines


def _page(baseline: Path, picture: Path, folder: Path) -> Tuple[Optional[Path], str]:
    """Lets the program write its report of two pictures. Returns its page, or None without the program, and what it
    says of the difference: with ids beside the baseline, it names the material."""
    program = find_program()
    page = folder / "index.html"
    if program is None:
        return None, ""
    with contextlib.suppress(FileNotFoundError):
        page.unlink()
    command = [program, "diff", str(baseline), str(picture), "--report", str(folder)]
    done = None
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False)
    if done is None or not page.exists():
        return None, ""
    return page, done.stdout.decode("utf-8", "replace").partition("\n")[0]


@pytest.fixture
def odori_picture(request: Any) -> PictureCheck:
    """Compares pictures of models with baselines beside the test: `odori_picture.check("miku.pmx", frame=300)`."""
    return PictureCheck(request.node)
