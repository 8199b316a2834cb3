"""The package agrees with what it is about: declarations with the headers, the manual with docstrings and with what
its examples do."""

import re
import shutil
import subprocess
import sys

import pytest

import odori
from conftest import MODEL, MOTION, SOURCE
from odori._library import ffi, libraries

DECLARATIONS = SOURCE / "python" / "odori" / "declarations.h"
MANUAL = SOURCE / "docs" / "python.md"


def plain(text):
    """Removes comments, directives and differences in white space."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.M)
    return " ".join(text.split())


def declarations(text):
    """Splits text into declarations, each with its semicolon."""
    start = depth = 0
    for at, character in enumerate(text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == ";" and depth == 0:
            yield text[start : at + 1].strip()
            start = at + 1


def test_declarations_are_those_of_the_headers():
    whole, egl = DECLARATIONS.read_text(encoding="utf-8").split("/* EGL 1.5")
    headers = set()
    for path in (SOURCE / "engine" / "include" / "mmd").glob("*.h"):
        text = plain(path.read_text(encoding="utf-8")).replace('extern "C" {', "")
        headers.update(declarations(text))
    listed = list(declarations(plain(whole)))
    assert len(listed) > 80 and len(headers) > 500
    other = [text for text in listed if text not in headers]
    assert other == ["typedef unsigned mmd_status;"]
    assert all("egl" in text for text in declarations(plain("/*" + egl)))


def test_the_library_has_all_functions():
    names = re.findall(r"\b(mmd_\w+)\(", plain(DECLARATIONS.read_text(encoding="utf-8")))
    assert len(names) > 50
    for name in names:
        assert getattr(libraries().odori, name)
    assert ffi.sizeof("mmd_status") == ffi.sizeof("mmd_log_level") == 4


def test_every_public_thing_is_documented():
    for name in odori.__all__:
        thing = getattr(odori, name)
        assert thing.__doc__ and len(thing.__doc__) > 20, name
        for member in vars(thing).values() if isinstance(thing, type) else []:
            if callable(member) and not member.__name__.startswith("_"):
                assert member.__doc__, member
    assert set(odori.__all__) <= set(dir(odori))
    with pytest.raises(AttributeError):
        odori.nothing


def test_the_manual_has_the_docstrings():
    command = [sys.executable, str(SOURCE / "python" / "reference.py"), str(MANUAL)]
    made = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert made == MANUAL.read_text(encoding="utf-8"), "run python/reference.py --write docs/python.md"
    assert "`odori.shot(model" in made and "**`set_bone(" in made and "`odori_picture`" in made


def test_the_examples_of_the_manual_run(tmp_path, monkeypatch, capsys):
    for source, name in ((MODEL, "miku.pmx"), (MOTION, "dance.vmd")):
        shutil.copy(source, tmp_path / name)
    shutil.copytree(MODEL.parent / "tex", tmp_path / "tex")
    monkeypatch.chdir(tmp_path)
    guide = MANUAL.read_text(encoding="utf-8").split("## Reference")[0]
    blocks = re.findall(r"^```python\n(.*?)^```", guide, re.M | re.S)
    assert len(blocks) == 5
    names = {}
    for block in blocks:
        exec(compile(block, str(MANUAL), "exec"), names)
    assert names["picture"].shape == (180, 320, 4) and names["picture"][..., 3].min() == 0
    assert names["paths_of_joints"].shape == (600, 177, 3) and 10 < names["height"] < 20
    assert names["portrait"].shape == (256, 256, 4) and names["shown"].max() > 0
    assert (tmp_path / "out.png").exists() and (tmp_path / "heat.png").exists()
    assert "different: " in capsys.readouterr().out and callable(names["test_miku"])
