#!/usr/bin/env python3
"""Compares odori with MMD's answers and pictures.

parity.py ODORI CASE        ends with 1 if a bone lies elsewhere than in MMD and MISSES does not name it, or if it
                            lies where MMD has it and MISSES names it; of pictures the same
parity.py ODORI page FILE   ends with 1 if FILE is not what these numbers give
parity.py ODORI write FILE  writes FILE (docs/parity.md)
"""
import json
import os
import subprocess
import sys
import tempfile
import textwrap

import models
import scenes

NEAR = 0.001  # units: a bone at this distance from MMD's or less is where MMD has it
TURNED = 0.0005  # the same for each number of the rotation
HERE = os.path.dirname(os.path.abspath(__file__))
# What is known to differ: {case: ({bones}, why)}.
MISSES = {
    "append_from_link": ({"f3"},
                         "a bone that appends a bone that appends a link, on the same level: MMD's result depends on "
                         "the picture before."),
    "physics_limits": ({"c"},
                       "a turned box on a turned joint. Bullet leaves out an axis whose error is exactly 0; at rest the "
                       "last bit seems to decide: of 26 joints turned by up to 0.000006 more or less, 9 come within "
                       "0.0001 of MMD after a step; all but one of the others lie where this one does."),
    "physics_contact": ({"rolls"}, "a ball that touches another one beside its top, where rounding grows: to 0.0006 units "
                                   "after half a second."),
    "physics_no_bone": ({"a", "b"},
                        "bodies below one without a bone. In MMD they fall freely in the first two steps, as if nothing "
                        "held that one yet; odori holds it from the first step on."),
}

LEVELS = 2  # a pixel is equal if no channel differs by more
SHARE = 0.0005  # of the pixels of a picture that may differ: corners of triangles between two pixels
# Pictures that are known to differ: {case: (share of pixels, why)}.
PICTURE_MISSES = {
    "toons": (0.0105, "toon05 and toon06 of MMD's distribution differ between columns; here each row has one colour."),
    "lengths_of_normals": (0.0013, "highlights over 1, of normals longer than 1, are probably cut off at vertices."),
    "lights_in_self_shadow": (0.001, "an accessory's darkest part, where the light's colour is below 0.3. Not explained."),
    "background_picture": (0.0045, "the picture's outermost texels. Not explained."),
    "antialiasing": (0.0085, "MMD under Wine has its four samples mirrored vertically."),
}


def read_answer(case):
    """Returns the names of the bones, and a list of (frame, rows of 12 numbers)."""
    with open(os.path.join(HERE, "answers", case + ".txt"), encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if not line.startswith("#")]
    count = int(lines[0].split()[1])
    frames = []
    for at in range(1 + count, len(lines), 1 + count):
        rows = [tuple(map(float, line.split())) for line in lines[at + 1:at + 1 + count]]
        frames.append((lines[at].split()[1], rows))
    return lines[1:1 + count], frames


def compute(odori, case, frames):
    """Returns the names of odori's bones and their rows of 12 numbers for each frame."""
    model = models.make(case)
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, case + "." + kind) for kind in ("pmx", "vmd")]
        for path, data in zip(paths, (model.pmx(), model.vmd())):
            with open(path, "wb") as file:
                file.write(data)
        physics = "on" if case.startswith("physics_") else "off"
        output = subprocess.run([odori, "dump", paths[0], "--motion", paths[1], "--physics", physics, "--what", "bones",
                                 "--frames", ",".join(frames)], stdout=subprocess.PIPE, check=True).stdout
    poses = [pose["bones"] for pose in json.loads(output)["frames"]]
    columns = (12, 13, 14, 0, 1, 2, 4, 5, 6, 8, 9, 10)
    return [bone["name"] for bone in poses[0]], [[[bone["world"][c] for c in columns] for bone in pose] for pose in poses]


class Result:
    """The distances of one case: worst of each bone, and the share of bones in frames that lie where MMD has them."""

    def __init__(self, odori, case):
        self.case = case
        names, answer = read_answer(case)
        ours, poses = compute(odori, case, [frame for frame, _ in answer])
        assert ours == names, "the bones of %s are others than those of its answer: record it again" % case
        self.frames, self.bones, near = len(answer), len(names), 0
        self.worst, self.turned, self.missed = 0.0, 0.0, {}
        for (frame, rows), pose in zip(answer, poses):
            for name, theirs, mine in zip(names, rows, pose):
                distance = sum((a - b) ** 2 for a, b in zip(theirs[:3], mine[:3])) ** 0.5
                turned = max(abs(a - b) for a, b in zip(theirs[3:], mine[3:]))
                self.worst, self.turned = max(self.worst, distance), max(self.turned, turned)
                if distance <= NEAR and turned <= TURNED:
                    near += 1
                else:
                    worst = self.missed.get(name, (0, 0, frame))
                    self.missed[name] = max(worst, (distance, turned, frame))
        self.share = near / (self.frames * self.bones)


def check(odori, case):
    result = Result(odori, case)
    named = MISSES.get(case, (set(), ""))[0]
    for name, (distance, turned, frame) in result.missed.items():
        if name not in named:
            print("%s: bone %s is %.6f units and %.6f of its rotation from MMD's, worst at frame %s" %
                  (case, name, distance, turned, frame))
    for name in named - set(result.missed):
        print("%s: bone %s is where MMD has it; take it out of MISSES" % (case, name))
    print("%s: %d bones, %d frames, worst %.6f units" % (case, result.bones, result.frames, result.worst))
    return 1 if set(result.missed) != named else 0


class Pictures:
    """The pictures of one case: shares of pixels that differ by more than LEVELS, by frame."""

    def __init__(self, odori, case):
        self.case, self.shares, self.largest = case, {}, 0
        with tempfile.TemporaryDirectory() as folder:
            scene = scenes.make(odori, folder, case)
            for frame in scene.frames:
                theirs = os.path.join(HERE, "pictures", "%s_%d.png" % (case, frame))
                ours = os.path.join(folder, "%d.png" % frame)
                subprocess.run([odori, "shot", os.path.join(folder, case + ".pmm"), "--frame", str(frame), "--gpu",
                                "software", "--msaa", "4" if scene.antialiasing else "0", "-o", ours], check=True)
                output = subprocess.run([odori, "diff", theirs, ours, "--json", "--threshold", str(LEVELS), "--align",
                                         "none"], stdout=subprocess.PIPE).stdout
                result = json.loads(output)["frames"][0]
                self.shares[frame] = result["share"]
                self.largest = max(self.largest, result["max"])
        self.worst = max(self.shares.values())


def check_pictures(odori, case):
    result = Pictures(odori, case)
    limit = PICTURE_MISSES.get(case, (SHARE, ""))[0]
    for frame, share in result.shares.items():
        print("%s: frame %d: %.4f %% of the pixels differ from MMD's by over %d levels; the limit is %.4f %%" %
              (case, frame, 100 * share, LEVELS, 100 * limit))
    if case in PICTURE_MISSES and result.worst <= SHARE:
        print("%s: the pictures are MMD's; take it out of PICTURE_MISSES" % case)
        return 1
    return 1 if result.worst > limit else 0


def question(function):
    return " ".join(function.__doc__.split())


def wrap(text, indent=""):
    return textwrap.fill(text, 120, subsequent_indent=indent, break_long_words=False) + "\n"


def page(odori):
    results = [Result(odori, case) for case in models.CASES]
    pictures = [Pictures(odori, case) for case in scenes.CASES]
    rows = sum(result.frames * result.bones for result in results)
    near = sum(result.frames * result.bones * result.share for result in results)
    text = "# Parity with MMD\n\n<!-- Written by tests/mmd/parity.py; do not edit. -->\n\n"
    text += wrap("MikuMikuDance 9.31 played and drew small models that scripts of this repository make, one question "
                 "each, and its bones and pictures were recorded. The tables compare odori with those records.")
    text += "\n## Bones\n\n"
    text += wrap("A bone counts as equal if it lies "
                 "within %g units (%.2f mm) of MMD's and no number of its rotation matrix differs by more than %g. Bones "
                 "are counted in each recorded frame: %d of %d are equal." % (NEAR, NEAR * 80, TURNED, near, rows))
    text += "\n| case | question | bones, frames | equal | worst, units | worst, rotation |\n|---|---|---|---|---|---|\n"
    for result in results:
        text += "| `%s` | %s | %d, %d | %s %% | %.5f | %.5f |\n" % (
            result.case, question(models.CASES[result.case]), result.bones, result.frames,
            ("%.1f" % (100 * result.share)).replace(".0", ""), result.worst, result.turned)
    text += "\n## Pictures\n\n"
    text += wrap("Pictures have 320 x 240 pixels. A pixel counts as equal if no channel differs by more than %d levels of "
                 "255. The table has the picture of each case in which most pixels differ: %d of %d pictures differ in "
                 "%g %% of their pixels or less." %
                 (LEVELS, sum(share <= SHARE for result in pictures for share in result.shares.values()),
                  sum(len(result.shares) for result in pictures), 100 * SHARE))
    text += "\n| case | question | pictures | pixels that differ |\n|---|---|---|---|\n"
    for result in pictures:
        text += "| `%s` | %s | %d | %s %% |\n" % (
            result.case, question(scenes.CASES[result.case]), len(result.shares),
            ("%.1f" % (100 * result.worst)).replace("0.0", "0"))
    text += "\n## What differs\n\n"
    for case, (names, why) in MISSES.items():
        text += wrap("- `%s`, %s: %s" % (case, ", ".join(sorted(names)), why), "  ")
    for case, (_, why) in PICTURE_MISSES.items():
        text += wrap("- `%s`: %s" % (case, why), "  ")
    text += """
## What is not asked

Left out are poses that depend on what MMD has computed before (an IK whose links another IK shares): there MMD does not
agree with itself. QDEF, which MMD 9.31 does not open. Pictures of large textures whose sides are not powers of two: MMD
has them resized by Direct3D's library, and Wine's does it in another way than Microsoft's. Anisotropic filtering, which
Wine's driver lacks here. Physics is compared over 30 steps of 1/60 s while the motion stands still; a long dance is chaotic, and
[docs/mmd.md 5](mmd.md#5-physics) compares dances by MMD's distance to itself.

## How it is measured

- `tests/mmd/models.py` writes the models and motions, `tests/mmd/answers/CASE.txt` holds MMD's bones (positions, and
  where the axes point); `tests/mmd/scenes.py` writes models, textures and projects, `tests/mmd/pictures/CASE_FRAME.png`
  is what MMD draws of them, with mip maps. `tests/mmd/parity.py` compares, with Mesa's software driver. Each case is a
  test: `ctest --test-dir build -R ^mmd/`.
- `sh tests/mmd/record.sh FOLDER_OF_MMD` records all answers and pictures anew with MMD under Wine. It needs the runner that
  `ODORI_MMD_TOOLS` names, which is not part of this repository.
- `python3 tests/mmd/parity.py build/odori write docs/parity.md` writes this page.
"""
    return text


def main(odori, what, file=None):
    if what in models.CASES:
        return check(odori, what)
    if what in scenes.CASES:
        return check_pictures(odori, what)
    text = page(odori)
    if what == "write":
        with open(file, "w", encoding="utf-8") as output:
            output.write(text)
        return 0
    with open(file, encoding="utf-8") as existing:
        if existing.read() == text:
            return 0
    print("%s is out of date: run python3 tests/mmd/parity.py build/odori write docs/parity.md" % file)
    return 1


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
