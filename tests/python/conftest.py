"""What the tests of the Python package share: the bundled dancer, the program, and the library's counter of blocks.

run.sh starts them with the library and the program of a build.
"""

import gc
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import odori
from odori._library import libraries

BUILD = Path(os.environ["ODORI_BUILD"])
SOURCE = Path(os.environ["ODORI_SOURCE"])
PROGRAM = os.environ["ODORI_PROGRAM"]
MODEL = BUILD / "dancer" / "dancer.pmx"
MOTION = BUILD / "dancer" / "dance.vmd"
CAMERA = BUILD / "dancer" / "camera.vmd"
SIZE = (160, 120)


def run(*arguments):
    """Runs the program, which has to succeed, and returns its stdout."""
    command = [PROGRAM, *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=300).stdout


@pytest.fixture
def program_shot(tmp_path):
    """Draws a picture by the program: program_shot("--frame", 300)."""

    def draw(*arguments):
        path = tmp_path / "shot.png"
        run("shot", *arguments, "--size", "{}x{}".format(*SIZE), "-o", path)
        return odori.read_picture(path)

    return draw


def program_bones(*arguments):
    """Returns the bones that the program dumps, as odori.bones does."""
    frames = json.loads(run("dump", *arguments, "--what", "bones"))["frames"]
    worlds = np.array([[bone["world"] for bone in frame["bones"]] for frame in frames], np.float32)
    return worlds.reshape(worlds.shape[0], -1, 4, 4).transpose(0, 1, 3, 2)


@pytest.fixture
def stage():
    with odori.Stage() as opened:
        opened.open_model(MODEL)
        yield opened


@pytest.fixture
def frees_everything():
    """Requires that the test frees all blocks of the library that it makes."""
    gc.collect()
    before = libraries().odori.mmd_heap_blocks_in_use()
    yield
    gc.collect()
    assert libraries().odori.mmd_heap_blocks_in_use() == before
