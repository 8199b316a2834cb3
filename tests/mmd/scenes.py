#!/usr/bin/env python3
"""scenes.py ODORI FOLDER [CASE...]: writes the cases of pictures: models, accessories, textures, and FOLDER/CASE.pmm.

A case is a function below; its docstring is the question. Frames of one case differ in camera, light or self shadow.
Textures have powers of two as sides: Wine enlarges others in another way than Direct3D's own library.
"""
import inspect
import json
import os
import subprocess
import sys

import project
import shapes
from shapes import ball, box, sheet, tube
from writer import (ADD, BDEF1, BDEF2, BDEF4, CAST, EDGE, GROUND_SHADOW, MATERIAL_MORPH, MULTIPLY, NO_CULL, RECEIVE,
                    SDEF, SUB_TEXTURE, UV_MORPH, VERTEX_MORPH, Model, turn)

SOLID = GROUND_SHADOW | CAST | RECEIVE | EDGE
ORANGE = {"diffuse": (1, 0.5, 0.25, 1)}
BLUE = {"diffuse": (0.25, 0.5, 1, 1)}
SIDE = {"angles": (-0.3, 0.3, 0)}


class Scene:
    """One project."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.models, self.accessories, self.settings, self.frames = [], [], {}, (0,)
        self.antialiasing = False
        self.suite = None  # a scene of a suite, for `odori capture-kit`, instead of what this script writes

    def model(self, pose=None, weights=None, edge=1.0, additive=0, order=None):
        model = Model()
        order = len(self.models) + 1 if order is None else order
        self.models.append(dict(model=model, path="%d.pmx" % len(self.models), pose=pose or {}, weights=weights or {},
                                edge=edge, additive=additive, order=order))
        return model

    def accessory(self, mesh, material=None, **placed):
        name = "%d.x" % len(self.accessories)
        self.write(name, shapes.accessory(mesh, **(material or {})))
        self.accessories.append(dict(placed, path=name))

    def write(self, name, data):
        with open(os.path.join(self.folder, self.name, name), "wb") as file:
            file.write(data)

    def views(self, **settings):
        """Sets lists of cameras, lights and shadows, one for each frame; a shorter one stays at its last."""
        count = max(len(values) for values in settings.values())
        self.frames = range(count)
        if "cameras" in settings:  # a place where no edge of a shape passes through the middle of a pixel
            settings["cameras"] = [dict({"target": (0.05, 10.07, 0)}, **camera) for camera in settings["cameras"]]
        for name, values in settings.items():
            self.settings[name] = list(values) + [values[-1]] * (count - len(values))

    def save(self):
        for row in self.models:
            self.write(row["path"], row["model"].pmx())
        here = os.path.join(self.folder, self.name)
        placed = [[dict(row, path=os.path.join(here, row["path"])) for row in rows]
                  for rows in (self.models, self.accessories)]
        settings = dict(self.settings)
        if "background" in settings:
            settings["background"] = (os.path.join(here, settings["background"][0]),) + settings["background"][1:]
        project.write(os.path.join(self.folder, self.name + ".pmm"), *placed, **settings)


def checker(x, y):
    return (x * 4, y * 4, 255 if (x // 8 + y // 8) % 2 else 0, 255 if (x // 16 + y // 16) % 2 else 0)


def gradient(x, y):
    return (x * 4, 255 - y * 4, x * y % 256, 255 - x * 2)


def ramp(x, y):
    return (255 - y * 8, 255 - y * 6, 255 - x * 4, 255)


def textures(s):
    """Textures of PNG, BMP and TGA with and without alpha: made larger, made smaller with mip maps, and repeated."""
    s.write("a.png", shapes.png(64, 64, checker))
    s.write("a.bmp", shapes.bmp(64, 64, checker))
    s.write("a.tga", shapes.tga(64, 64, checker))
    m = s.model()
    for i, name in enumerate(("a.png", "a.bmp", "a.tga")):
        m.draw(sheet((7 * i - 7, 14, 0), (3, 3)), texture=name, **ORANGE)
        m.draw(sheet((7 * i - 7, 6.9, 0), (3, 3), uv=5), texture=name, flags=NO_CULL)
        m.draw(ball((7 * i - 7, 1.8, 0), 1.5), texture=name, flags=SOLID)
    s.views(cameras=({}, {"angles": (0.2, 1.1, 0)}, {"distance": 150}))


def spheres(s):
    """Spheres that multiply, add or read the first additional UV, with and without texture, toon and alpha."""
    s.write("s.png", shapes.png(64, 64, gradient))
    s.write("s.bmp", shapes.bmp(64, 64, gradient))
    s.write("t.bmp", shapes.bmp(32, 32, ramp))
    m = s.model()
    for i, mode in enumerate((MULTIPLY, SUB_TEXTURE, ADD)):
        for k, (texture, toon, sphere) in enumerate(((None, None, "s.bmp"), ("s.bmp", "t.bmp", "s.bmp"), (None, 2, "s.png"))):
            m.draw(ball((7 * i - 7, 16 - 5 * k, 0), 2), texture=texture, sphere=sphere, sphere_mode=mode, toon=toon,
                   flags=SOLID, **ORANGE)
    s.views(cameras=({}, {"angles": (-0.5, 0.7, 0)}, {"distance": 150}))


def spheres_in_self_shadow(s):
    """The same under self shadow, where MMD shades pixels instead of vertices."""
    spheres(s)
    s.settings["self_shadow"] = 1


def toons(s):
    """Shared toons, one of the model and none, with highlights, from two cameras and with two lights."""
    s.write("t.bmp", shapes.bmp(32, 32, ramp))
    m = s.model()
    for i, toon in enumerate((0, 2, 4, 5, "t.bmp", None)):
        m.draw(ball((6 * (i % 3) - 6, 14 - 7 * (i // 3), 0), 2.5), toon=toon, specular=(0.4, 0.4, 0.4), power=10,
               **ORANGE)
    lights = (((0.6, 0.6, 0.6), (-0.5, -1, 0.5)),) * 2 + (((0.9, 0.6, 0.3), (0.7, 0.2, 0.4)),)
    s.views(cameras=({}, {"angles": (-0.5, 0.7, 0.2)}), lights=lights)


def toons_in_self_shadow(s):
    """The same under self shadow."""
    toons(s)
    s.settings["self_shadow"] = 1


def lengths_of_normals(s):
    """Normals of other lengths than 1, with toon, sphere, highlight and edge; of the file, and blended by bones."""
    s.write("s.bmp", shapes.bmp(64, 64, gradient))
    m = s.model(pose={"b": ((0, 0, 0), turn((0, 0, 1), 100))})
    b = m.add("b", (6, 10, 0))
    look = dict(sphere="s.bmp", sphere_mode=ADD, toon=2, specular=(0.4, 0.4, 0.4), power=10, flags=SOLID)
    m.draw(ball((-7, 10, 0), 2.5, length=0.5), **look, **ORANGE)
    m.draw(ball((0, 10, 0), 2.5, length=1.5), **look, **ORANGE)
    m.draw(ball((6, 10, 0), 2.5, skin=lambda place: (BDEF2, 0, b, 0.5)), **look, **ORANGE)
    s.views(cameras=({},), lights=(((0.6, 0.6, 0.6), (-0.5, -1, 0.5)),))


def lengths_of_normals_in_self_shadow(s):
    """The same under self shadow."""
    lengths_of_normals(s)
    s.settings["self_shadow"] = 1


def edges(s):
    """Edges: sizes of materials and vertices, colours, alpha, none; the model's width; near and far cameras."""
    m = s.model(edge=1.5)
    looks = ({}, {"edge_size": 3}, {"edge_size": 0}, {"edge": (1, 0, 0, 0.5)}, {"edge": (0, 0, 1, 0)}, {"flags": CAST},
             {"diffuse": (1, 0.5, 0.25, 0.5)})
    for i, look in enumerate(looks):
        m.draw(box((3 * i - 9, 13, 0), (1, 1, 1)), **dict(dict(ORANGE, flags=SOLID), **look))
        m.draw(ball((3 * i - 9, 9, 0), 1, skin=lambda place: (BDEF1, 0)), **dict(dict(ORANGE, flags=SOLID), **look))
    m.draw(box((0, 5, 0), (3, 1, 1), edge=2), flags=SOLID, **BLUE)
    s.views(cameras=(SIDE, {"fov": 90, "distance": 15}, {"fov": 10, "distance": 150}, {"orthographic": 1}))


def edge_of_far_bones(s):
    """The distance that edges depend on is that of bone 1; other models have theirs."""
    m = s.model()
    m.add("a", (0, 40, 0))
    m.draw(box((-4, 10, 0), (2, 2, 2)), flags=SOLID, **ORANGE)
    s.model().draw(box((4, 10, 0), (2, 2, 2)), flags=SOLID, **BLUE)
    s.views(cameras=(SIDE, {"distance": 20}))


def alpha_order(s):
    """Translucent faces in the order of materials and triangles, alpha 0 and 0.98, textures with alpha, two models."""
    s.write("a.png", shapes.png(64, 64, checker))
    m = s.model()
    for i, alpha in enumerate((0, 0.5, 0.98, 1)):
        m.draw(box((5 * i - 7, 14, 0), (1.5, 1.5, 1.5)), diffuse=(1, 0.5, 0.25, alpha), flags=SOLID)
    m.draw(sheet((-4, 8, 0), (3, 2)), diffuse=(1, 0, 0, 0.5))
    m.draw(sheet((-3, 7, 1), (3, 2)), diffuse=(0, 1, 0, 0.5))
    m.draw(sheet((-2, 6, -1), (3, 2)), diffuse=(0, 0, 1, 0.5))
    m.draw(sheet((7, 8, 0), (2, 2)), texture="a.png", flags=SOLID)
    m.draw(box((7, 7, 2), (1.5, 1.5, 1.5)), flags=SOLID, **BLUE)
    s.model().draw(sheet((1, 9, 2), (9, 1)), diffuse=(0, 0, 0, 0.5))
    s.views(cameras=({}, {"angles": (-0.2, 0.4, 0)}))


def culling(s):
    """Faces that are seen from behind: two-sided or not, opaque or not, with edges or not, under both kinds of shadow."""
    m = s.model()
    for i, flags in enumerate((0, NO_CULL, EDGE, NO_CULL | EDGE)):
        for k, alpha in enumerate((1, 0.5)):
            mesh = sheet((5 * i - 8, 14 - 6 * k, 0), (1.5, 2))
            m.draw(mesh, diffuse=(1, 0.5, 0.25, alpha), flags=flags | CAST | RECEIVE | GROUND_SHADOW)
            m.draw((mesh[0], [triangle[::-1] for triangle in mesh[1]]), diffuse=(0.25, 0.5, 1, alpha), flags=flags)
    s.views(cameras=({"angles": (0, 0.5, 0)}, {"angles": (0, 3.5, 0)}))


def culling_in_self_shadow(s):
    """The same under self shadow."""
    culling(s)
    s.settings["self_shadow"] = 1


def ground_shadow(s):
    """Ground shadows of models and accessories, with several lights, some of them from below."""
    blocks(s)
    lights = (((0.6, 0.6, 0.6), (-0.5, -1, 0.5)), ((1, 0.5, 0.1), (0.2, -0.3, 0.9)), ((0.6, 0.6, 0.6), (0.5, 0.5, 0.5)))
    s.views(cameras=(SIDE,), lights=lights)
    s.settings.update(ground_shadow=1)


def ground_shadow_transparent(s):
    """Transparent ground shadows of half the brightness."""
    ground_shadow(s)
    s.settings.update(transparent=1, brightness=0.5)


def blocks(s):
    m = s.model()
    m.draw(box((-6, 4, 0), (2, 4, 2)), flags=SOLID, **ORANGE)
    m.draw(box((-1, 2, -4), (1, 2, 1)), flags=SOLID, edge=(0, 0, 0, 0), **ORANGE)
    m.draw(box((3, 3, -4), (1, 1, 1)), flags=SOLID, edge_size=4, diffuse=(1, 0.5, 0.25, 0.5))
    s.model().draw(box((3, 5, 3), (2, 4, 2)), flags=SOLID, specular=(0.3, 0.3, 0.3), power=10, **BLUE)
    material = dict(diffuse=(0.8, 0.4, 0.2, 1), specular=(0.5, 0.5, 0.5), emissive=(0.1, 0.1, 0.2))
    s.accessory(box((9, 3, 0), (2, 3, 2)), material)
    s.accessory(box((0, 9, 0), (1, 1, 1)), material, opacity=0.5)
    s.accessory(box((-11, 3, 0), (1, 3, 1)), material, shadow=0)


def self_shadow(s):
    """Self shadows of modes 1, 2 and none on a floor, at several distances, from several cameras."""
    blocks(s)
    s.models[0]["model"].draw(box((0, -0.5, 0), (20, 0.5, 20)), flags=RECEIVE, diffuse=(0.7, 0.8, 0.6, 1))
    cameras = ({"angles": (-0.5, 0.4, 0)},) * 4 + ({"angles": (-1.2, 0, 0)}, {"angles": (-0.05, 2.3, 0)},
                                                   {"angles": (-0.95, 0.3, 0), "distance": 20})
    s.views(cameras=cameras, shadows=((1, 0.01125), (2, 0.01125), (1, 0.05), (0, 0.01), (2, 0.01125)))
    s.settings.update(self_shadow=1)


def lights(s):
    """Lights of several colours and directions on models and accessories, with highlights."""
    m = s.model()
    m.draw(ball((-7, 10, 0), 3), specular=(0.5, 0.5, 0.5), power=10, toon=0, **ORANGE)
    m.draw(ball((0, 10, 0), 3), specular=(0.2, 0.9, 0.9), power=50, toon=None, ambient=(0.3, 0.1, 0.5), **BLUE)
    material = dict(diffuse=(0.8, 0.4, 0.2, 1), specular=(0.5, 0.5, 0.5), power=10, emissive=(0.1, 0.1, 0.2))
    s.accessory(ball((7, 10, 0), 3), material)
    s.views(cameras=({},), lights=(((1, 1, 1), (-0.5, -1, 0.5)), ((1, 0.5, 0.1), (0.2, -0.3, 0.9)),
                                   ((0.1, 0.2, 0.3), (0.5, 0.5, 0.5)), ((0, 0, 0), (0, -1, 0))))


def lights_in_self_shadow(s):
    """The same under self shadow."""
    lights(s)
    s.settings["self_shadow"] = 1


def accessories(s):
    """Accessories: opaque, translucent, additive, with textures, turned and scaled, before and after the models."""
    s.write("a.png", shapes.png(64, 64, checker))
    s.write("a.bmp", shapes.bmp(64, 64, checker))
    s.model().draw(box((0, 8, 0), (9, 1, 1)), flags=SOLID, **BLUE)
    look = dict(diffuse=(0.8, 0.4, 0.2, 1), specular=(0.5, 0.5, 0.5))
    s.accessory(box((-8, 9, 1), (1.5, 3, 1.5)), look)
    s.accessory(box((-4, 9, 1), (1.5, 3, 1.5)), dict(look, diffuse=(0.8, 0.4, 0.2, 0.5)))
    s.accessory(box((0, 9, 1.5), (1.5, 3, 1.5)), look, opacity=0.4)
    s.accessory(box((4, 9, 1), (1.5, 3, 1.5)), look, additive=1)
    s.accessory(box((8, 9, 1), (1.5, 3, 1.5)), dict(look, texture="a.png"))
    s.accessory(ball((0, 0, 0), 2), dict(look, texture="a.bmp"), position=(-5, 2, 0), rotation=(0.3, 0.5, 0.1), scale=1.5)
    s.accessory(box((0, 0, 0), (2, 1, 1)), dict(look, texture="a.bmp"), position=(5, 2, 0), rotation=(0.3, 0.5, 0.1),
                opacity=0.5, additive=1)
    s.views(cameras=({}, {"angles": (-0.3, 0.6, 0)}))
    s.settings.update(black=1)


def model_order(s):
    """Translucent and additive models, drawn in another order than they are listed in."""
    for i, (order, additive) in enumerate(((3, 0), (1, 0), (2, 1))):
        color = [0.2, 0.2, 0.2, 0.6]
        color[i] = 1
        m = s.model(order=order, additive=additive)
        m.draw(box((3 * i - 3, 9 + i, i), (3, 3, 1)), diffuse=tuple(color), edge=(0.5, 0.5, 0.5, 1), flags=SOLID)
        m.draw(box((3 * i - 8, 4, i), (1, 1, 1)), diffuse=tuple(color[:3]) + (1,), flags=SOLID)
        m.draw(box((3 * i + 4, 4, i), (1, 1, 1)), diffuse=tuple(color), flags=NO_CULL)
    s.views(cameras=({}, {"angles": (-0.3, 0.6, 0)}))
    s.settings.update(black=1)


def skinning(s):
    """Tubes whose upper half is turned by 100 degrees: BDEF2, BDEF4 and SDEF. MMD 9.31 does not open QDEF."""
    m = s.model(pose={"b%d" % i: ((0, 0, 0), turn((0.2, 1, 0.6), 100)) for i in range(3)})

    def weight(place):
        return min(1, max(0, (place[1] - 7) / 6))

    def skin(kind, low, high):
        def of(place):
            w, x = weight(place), m.bones[low]["position"][0]
            if kind == BDEF2:
                return (kind, high, low, w)
            if kind == SDEF:
                return (kind, high, low, w, (x, 10, 0), (x, 11, 0), (x, 9, 0))
            return (kind, (high, low, 0, 0), (w, 1 - w, 0, 0))
        return of

    for i, kind in enumerate((BDEF2, BDEF4, SDEF)):
        low = m.add("a%d" % i, (6 * i - 9, 5, 0))
        high = m.add("b%d" % i, (6 * i - 9, 10, 0), low)
        m.draw(tube((6 * i - 9, 10, 0), 1.5, 12, skin(kind, low, high)), toon=2, specular=(0.4, 0.4, 0.4), power=10,
               flags=NO_CULL | EDGE, **ORANGE)
    s.views(cameras=({}, {"angles": (0.2, 1.2, 0)}))


def morphs(s):
    """Morphs of vertices, UV and materials: multiplied and added colours, edges, and factors of textures."""
    s.write("a.bmp", shapes.bmp(64, 64, checker))
    s.write("s.bmp", shapes.bmp(64, 64, gradient))
    m = s.model(weights={name: 0.7 for name in ("vertex", "uv", "multiply", "add", "all")})
    for i in range(5):
        m.draw(box((5 * i - 10, 12, 0), (1.5, 1.5, 1.5)), texture="a.bmp" if i < 3 else None, sphere="s.bmp",
               sphere_mode=ADD if i % 2 else MULTIPLY, toon=2, specular=(0.3, 0.3, 0.3), power=10, flags=SOLID,
               edge=(0.2, 0.2, 0.2, 1), **ORANGE)
    m.draw(box((0, 5, 0), (9, 1, 1)), flags=SOLID, **BLUE)
    # diffuse, specular, power, ambient, edge, its size, factors of texture, sphere and toon
    multiply = (0.5, 0.7, 1, 1, 1, 0.5, 0.5, 1, 1, 0.5, 0.2, 1, 1, 1, 1, 2, 0.5, 1, 1, 1, 1, 0.5, 1, 1, 1, 1, 0.5, 1)
    add = (-0.3, 0.2, 0.3, -0.2, 0, 0, 0.3, 5, 0, 0.2, 0.2, 0.8, 0, 0, 0, 1, 0.2, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0.2, 0)
    m.morphs += [("vertex", [(i, (0, 2, -1)) for i in range(12)], VERTEX_MORPH),
                 ("uv", [(24 + i, (0.5, 0.25, 0, 0)) for i in range(24)], UV_MORPH),
                 ("multiply", [(2, 0, multiply), (3, 0, multiply)], MATERIAL_MORPH),
                 ("add", [(3, 1, add), (4, 1, add)], MATERIAL_MORPH),
                 ("all", [(-1, 0, (1,) * 4 + (1,) * 11 + (1.5,) + (1,) * 12)], MATERIAL_MORPH)]
    s.views(cameras=(SIDE,), lights=(((0.6, 0.6, 0.6), (-0.5, -1, 0.5)),))


def morphs_in_self_shadow(s):
    """The same under self shadow; only there MMD uses the factors of textures, spheres and toons."""
    morphs(s)
    s.settings["self_shadow"] = 1


def cameras(s):
    """Cameras: fields of view from 1 to 120 degrees, turned about all axes, near, from behind, and orthographic."""
    blocks(s)
    s.views(cameras=({"fov": 120, "distance": 12}, {"fov": 1, "distance": 1200}, {"angles": (0.4, 2, 0.8)},
                     {"target": (3.05, 2.07, -5), "distance": 6}, {"distance": -30}, dict(SIDE, orthographic=1, distance=60)))


def black_background(s):
    """A black background, and the colour of edges that the project has."""
    blocks(s)
    s.views(cameras=(SIDE,), lights=(((0.6, 0.6, 0.6), (-0.5, -1, 0.5)),))
    s.settings.update(black=1, edge_color=(255, 0, 0))


def background_picture(s):
    """A picture behind the scene, whose place and size depend on the width of the output. MMD resizes it to 1024 x 1024."""
    s.write("b.bmp", shapes.bmp(1024, 1024, lambda x, y: (x & 255, y & 255, 255 * ((x ^ y) >> 6 & 1))))
    s.model().draw(box((0, 10, 0), (2, 2, 2)), flags=SOLID, **ORANGE)
    s.views(cameras=(SIDE,), lights=(((0.6, 0.6, 0.6), (-0.5, -1, 0.5)),))
    s.settings.update(background=("b.bmp", 40, 80, 4.5))


def antialiasing(s):
    """Four samples a pixel."""
    edges(s)
    s.antialiasing = True


def dancer(s):
    """The bundled dancer in her dance, seen by her camera."""
    s.suite = {"name": "dancer", "model": "dancer", "motion": "dancer", "camera": "dancer", "size": [320, 240],
               "physics": False, "frames": "60,400"}
    s.frames = (60, 400)


CASES = {name: function for name, function in list(globals().items()) if inspect.isfunction(function) and
         list(inspect.signature(function).parameters) == ["s"] and function.__doc__}


def make(odori, folder, name):
    """Writes a case and returns its scene."""
    os.makedirs(os.path.join(folder, name), exist_ok=True)
    scene = Scene(folder, name)
    CASES[name](scene)
    if scene.suite:
        with open(os.path.join(folder, name, "suite.json"), "w", encoding="utf-8") as file:
            json.dump({"scenes": [scene.suite]}, file)
        kit = os.path.join(folder, name, "kit")
        subprocess.run([odori, "capture-kit", os.path.join(folder, name, "suite.json"), "-o", kit, "--copy", "--root",
                        "Z:" + kit.replace("/", "\\")], stdout=subprocess.DEVNULL, check=True)
        os.rename(os.path.join(kit, "01-%s.pmm" % name), os.path.join(folder, name + ".pmm"))
    else:
        scene.save()
    return scene


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for case in sys.argv[3:] or CASES:
        made = make(sys.argv[1], os.path.abspath(sys.argv[2]), case)
        print(case, "on" if made.antialiasing else "off", *made.frames)  # read by record.sh
