#!/usr/bin/env python3
"""answers.py DUMP FOLDER: turns what MMD's runner recorded of a project into FOLDER/CASE.txt, one for each model.

DUMP.names lists models and bones. A record of DUMP is "REC1", its size, MMD's time in seconds, the number of models,
and of each the number of bones and of morphs, a matrix of Direct3D for each bone, and a weight for each morph.

CASE.txt: "bones B frames F", B lines with names, and for each frame "frame T" (30 a second) and B lines of 12 numbers:
the position, then where the axes X, Y and Z of the bone point. # begins a comment. T is exact, because
the last bit of an angle decides where IK ends: a goal that is 0.000001 units elsewhere moves a knee by 0.005 units.
"""
import math
import os
import struct
import sys

from models import LAST

FRAMES = 3  # of a case without physics
STEPS = (1, 2, 3, 5, 8, 10, 15, 20, 25, 30)  # of a case with physics, 60 a second
LAST_STEPS = {"physics_contact_shapes": 10}  # later they part from MMD: the rod by 0.01 units, the pebble by 0.02


def read_names(path):
    """Returns the cases and the names of their bones, as they are in the last list of the file."""
    models = []
    with open(path, "rb") as file:
        for line in file.read().decode("cp932").splitlines():
            kind, rest = line.split(" ", 1)
            if kind == "model":
                number, _, _, name = rest.split(" ", 3)
                models = [] if number == "0" else models
                models.append((os.path.splitext(name.replace("\\", "/").rsplit("/", 1)[1])[0], []))
            elif kind == "bone":
                models[-1][1].append(rest.split(" ", 2)[2])
    return models


def read_records(path, count):
    """Yields the frame of each record with count models, and the bones of each model as rows of 12 numbers."""
    with open(path, "rb") as file:
        data = file.read()
    at = 0
    while data[at:at + 4] == b"REC1":
        size, = struct.unpack_from("<I", data, at + 4)
        at += 8
        if at + size > len(data):
            return
        seconds, models = struct.unpack_from("<fi", data, at)
        place, rows = at + 8, []
        for _ in range(models):
            bones, morphs = struct.unpack_from("<ii", data, place)
            matrices = [struct.unpack_from("<16f", data, place + 8 + 64 * i) for i in range(bones)]
            rows.append([m[12:15] + m[0:3] + m[4:7] + m[8:11] for m in matrices])
            place += 8 + 64 * bones + 4 * morphs
        if models == count:
            yield struct.unpack("<f", struct.pack("<f", seconds * 30))[0], rows
        at += size


def choose_frames(records):
    """Returns frames whose time is exact: quarters of a frame. Without the first pictures, before which MMD stands."""
    frames = {}
    for frame, rows in records:
        if 2.5 < frame < LAST and (frame * 4).is_integer():
            frames.setdefault(frame, rows)
    return sorted(frames.items())[:FRAMES]


def steps_of(case):
    return [steps for steps in STEPS if steps <= LAST_STEPS.get(case, STEPS[-1])]


def choose_steps(records, bones, wanted):
    """Returns the wanted steps of physics after the project was opened; frame 0 stands still there. "fall" counts them."""
    chosen, fall = {}, bones.index("fall")
    for frame, rows in records:
        if frame == 0:
            height = 4000 - rows[0][fall][1]  # 98/60² times 1 + 2 + ... + steps
            steps = round((math.sqrt(max(0, 1 + 8 * height * 3600 / 98)) - 1) / 2)
            if abs(98 / 3600 * steps * (steps + 1) / 2 - height) < 0.01:
                chosen[steps] = rows
    return [(steps / 2, chosen[steps]) for steps in wanted if steps in chosen]


def number(value):
    text = ("%.6f" % value).rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def main(dump, folder):
    models = read_names(dump + ".names")
    records = list(read_records(dump, len(models)))
    for i, (case, bones) in enumerate(models):
        physics = case.startswith("physics_")
        wanted = steps_of(case)
        chosen = choose_steps(records, bones, wanted) if physics else choose_frames(records)
        if len(chosen) < (len(wanted) if physics else FRAMES):
            sys.exit("%s: MMD's records have only %d of the frames of %s; record it again" % (dump, len(chosen), case))
        with open(os.path.join(folder, case + ".txt"), "w", encoding="utf-8") as file:
            file.write("# The bones of %s as MMD 9.31 computes them; see answers.py.\n" % case)
            file.write("bones %d frames %d\n%s\n" % (len(bones), len(chosen), "\n".join(bones)))
            for frame, rows in chosen:
                file.write("frame %.9g\n" % frame)
                file.writelines(" ".join(map(number, row)) + "\n" for row in rows[i])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
