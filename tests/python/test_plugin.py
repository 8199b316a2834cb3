"""The pytest plug-in, in runs of pytest in a temporary folder."""

import os
import re
import shutil
import subprocess
import sys

import pytest

import odori
from conftest import MODEL, MOTION

TESTS = """
import numpy as np, pytest

def test_dancer(odori_picture):
    odori_picture.check("models/dancer.pmx", motion="models/dance.vmd", frame={frame}, size=(80, 60){more})

class TestMore:
    @pytest.mark.parametrize("level", [1, 2])
    def test_pictures(self, odori_picture, level):
        picture = np.full((4, 4, 3), level, np.uint8)
        odori_picture.check_picture(picture)
        odori_picture.check_picture(picture * 2)
        odori_picture.check_picture(picture * 3, name="three")
"""


class Project:
    """A folder with tests and the dancer, in which pytest runs."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "tests" / "models").mkdir(parents=True)
        for path in (MODEL, MOTION):
            shutil.copy(path, folder / "tests" / "models")
        shutil.copytree(MODEL.parent / "tex", folder / "tests" / "models" / "tex")
        (folder / "pytest.ini").write_text("[pytest]\n")
        self.write(50)

    def write(self, frame, more=""):
        (self.folder / "tests" / "test_dance.py").write_text(TESTS.format(frame=frame, more=more))

    def pytest(self, *arguments, program=os.environ["ODORI_PROGRAM"]):
        command = [sys.executable, "-m", "pytest", "-p", "odori.pytest_plugin", "-p", "no:cacheprovider", *arguments]
        env = dict(os.environ, ODORI_PROGRAM=program)
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, env=env)
        return done.returncode, done.stdout + done.stderr

    def files(self, folder):
        return sorted(str(path.relative_to(self.folder / folder)) for path in (self.folder / folder).rglob("*.*"))


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "project")


def test_a_missing_baseline_fails_and_says_what_to_type(project):
    code, output = project.pytest("tests/test_dance.py::test_dancer")
    assert code == 1
    assert "there is no baseline tests/baselines/test_dance.test_dancer.png" in output
    assert "pytest tests/test_dance.py::test_dancer --odori-accept" in output
    drawn = odori.read_picture(project.folder / "odori-report" / "test_dance.test_dancer" / "picture.png")
    assert (drawn == odori.shot(MODEL, MOTION, 50, (80, 60))).all()
    assert not (project.folder / "tests" / "baselines").exists()


def test_accepting_passing_failing_and_accepting_again(project):
    code, output = project.pytest("--odori-accept")
    assert code == 0, output
    assert "odori: accepted" in output and "tests/baselines/test_dance.test_dancer.png" in output
    names = ["test_dance.TestMore.test_pictures-{}{}.png".format(i, n) for i in (1, 2) for n in ("-2", "", ".three")]
    of_dancer = ["test_dance.test_dancer.png", "test_dance.test_dancer.ids.png"]
    assert project.files("tests/baselines") == sorted(names + of_dancer)
    baseline = project.folder / "tests" / "baselines" / "test_dance.test_dancer.png"
    assert (odori.read_picture(baseline) == odori.shot(MODEL, MOTION, 50, (80, 60))).all()

    code, output = project.pytest()
    assert code == 0 and "accepted" not in output and not (project.folder / "odori-report").exists()

    project.write(80)
    code, output = project.pytest()
    assert code == 1 and "1 failed, 2 passed" in output, output
    assert "test_dance.test_dancer: different: " in output
    assert "baseline: tests/baselines/test_dance.test_dancer.png" in output
    assert re.search("the program says: different: .* in (material .* of )?おどり", output)
    report = "odori-report/test_dance.test_dancer/report/index.html"
    assert "report: " + report in output
    assert "<html" in (project.folder / report).read_text(encoding="utf-8")
    assert "pytest tests/test_dance.py::test_dancer --odori-accept" in output

    unchanged = (project.folder / "tests" / "baselines" / names[0]).stat()
    code, output = project.pytest("--odori-accept")
    assert code == 0 and output.count(".png") == 1
    assert (project.folder / "tests" / "baselines" / names[0]).stat() == unchanged
    assert project.pytest()[0] == 0


def test_without_the_program_the_report_is_pictures(project):
    project.pytest("--odori-accept")
    project.write(80)
    code, output = project.pytest("--odori-report", "elsewhere", program="")
    assert code == 1 and "heat.png are in elsewhere/test_dance.test_dancer" in output
    assert project.files("elsewhere") == [
        "test_dance.test_dancer",
        "test_dance.test_dancer/baseline.png",
        "test_dance.test_dancer/heat.png",
        "test_dance.test_dancer/picture.png",
    ]
    assert odori.read_picture(project.folder / "elsewhere/test_dance.test_dancer/heat.png").shape == (60, 80, 4)


def test_limits_and_options(project):
    project.pytest("--odori-accept")
    project.write(50.01, ', limits={"mean": 30}')
    assert project.pytest()[0] == 0
    project.write(50.01, ', background="000000", limits={"mean": 30}')
    code, output = project.pytest()
    assert code == 1 and "at most 30 is allowed" in output
    project.write(50, ', limits={"sharpness": 1}')
    assert "there is no metric 'sharpness'" in project.pytest()[1]


def test_other_tests_do_not_load_numpy(project):
    (project.folder / "tests" / "test_dance.py").write_text(
        "import sys\ndef test_nothing():\n    assert 'numpy' not in sys.modules and 'cffi' not in sys.modules\n"
    )
    code, output = project.pytest()
    assert code == 0, output
