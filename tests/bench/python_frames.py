#!/usr/bin/python3
"""python_frames.py BUILD_FOLDER [FRAMES [ROUNDS]]: measures how many frames of the bundled dancer's bones a second are
computed in Python, one by one and by odori.bones, and how long `odori dump` takes once for the same frames, alone and
with its JSON read. Prints the median of several rounds, with physics off and on. Compares the numbers as well."""

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

build = Path(sys.argv[1]).resolve()
count = int(sys.argv[2]) if len(sys.argv) > 2 else 700
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
os.environ.setdefault("ODORI_LIBRARY", str(build / "libodori.so.0"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

import numpy as np  # noqa: E402

import odori  # noqa: E402

MODEL, MOTION = (str(build / "dancer" / name) for name in ("dancer.pmx", "dance.vmd"))


def iterate(physics):
    with odori.Stage() as stage:
        stage.open_model(MODEL)
        stage.open_motion(MOTION)
        if not physics:
            stage.set_physics(False)
        matrices = []
        for frame in range(count):
            stage.frame = frame
            matrices.append(stage.bones())
    return np.array(matrices)


def at_once(physics):
    return odori.bones(MODEL, MOTION, range(count), physics=physics)


def dump_alone(physics):
    """Returns the JSON of the program, as bytes."""
    switch = "on" if physics else "off"
    frames = "0:{}".format(count - 1)
    command = [str(build / "odori"), "dump", MODEL, "--motion", MOTION, "--frames", frames, "--what", "bones"]
    return subprocess.run([*command, "--physics", switch], check=True, stdout=subprocess.PIPE).stdout


def dump(physics):
    frames = json.loads(dump_alone(physics))["frames"]
    worlds = [[bone["world"] for bone in frame["bones"]] for frame in frames]
    return np.array(worlds, np.float32).reshape(count, -1, 4, 4).transpose(0, 1, 3, 2)


at_once(False)  # loads the library
for physics in (False, True):
    results = []
    ways = (
        ("Stage, frame by frame", iterate),
        ("odori.bones", at_once),
        ("odori dump, once", dump_alone),
        ("the same, JSON read", dump),
    )
    for name, way in ways:
        seconds = []
        for _ in range(rounds):
            begin = time.perf_counter()
            result = way(physics)
            seconds.append(time.perf_counter() - begin)
        if not isinstance(result, bytes):
            results.append(result)
        median = statistics.median(seconds)
        print(
            "physics {:3}  {:22} {:7.3f} s  {:8.0f} frames/s".format(
                "on" if physics else "off", name, median, count / median
            )
        )
    if not all((result == results[0]).all() for result in results):
        sys.exit("the numbers differ")
print("equal numbers: {} frames, {} bones".format(count, results[0].shape[1]))
