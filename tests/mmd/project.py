"""Writes projects of MMD (PMM 0002): models and accessories as they stand, a camera, light and self shadow for each
frame, and the settings of the view. docs/mmd.md 1.7 describes the format."""
import os
import struct

LINEAR = bytes([20, 20, 107, 107])


def _pack(kinds, *values):
    return struct.pack("<" + kinds, *values)


def _path(path):
    """Returns a file as Wine names it."""
    return "Z:" + os.path.abspath(path).replace("/", "\\")


def _fixed(text, size):
    return text.encode("cp932").ljust(size, b"\0")


def _text(text):
    data = text.encode("cp932")
    return bytes([len(data)]) + data


def _model(number, model, path, pose, weights, edge, additive, order):
    """model: of writer.py; pose: {bone: (position, quaternion)}; weights: {morph: weight}; order: when it is drawn."""
    bones = [bone["name"] for bone in model.bones]
    morphs = [morph[0] for morph in model.morphs]
    out = bytes([number]) + _text("parity") + _text("parity") + _fixed(_path(path), 256) + b"\0"
    out += _pack("i", len(bones)) + b"".join(map(_text, bones)) + _pack("i", len(morphs)) + b"".join(map(_text, morphs))
    out += _pack("iii", 0, 1, -1)  # no IK; selected: bone 1, no panel
    out += bytes([order, 1]) + _pack("5i", *[-1] * 5) + b"\0" + _pack("ii", 0, 0)
    keys = [pose.get(bone, ((0, 0, 0), (0, 0, 0, 1))) for bone in bones]
    out += b"".join(_pack("iii", 0, 0, 0) + LINEAR * 4 + _pack("7f", *key[0], *key[1]) + b"\0\0" for key in keys)
    out += _pack("i", 0)
    out += b"".join(_pack("iiif", 0, 0, 0, weights.get(morph, 0)) + b"\0" for morph in morphs) + _pack("i", 0)
    out += _pack("iii", 0, 0, 0) + b"\1" + _pack("ii", -1, -1) + b"\0" + _pack("i", 0)  # shown
    out += b"".join(_pack("7f", *key[0], *key[1]) + b"\0\0\0" for key in keys)
    out += b"".join(_pack("f", weights.get(morph, 0)) for morph in morphs) + _pack("4i", 0, 0, -1, -1)
    return out + bytes([additive]) + _pack("f", edge) + bytes([1, number + 1])


def _accessory(number, path, order, opacity=1.0, position=(0, 0, 0), rotation=(0, 0, 0), scale=1.0, shadow=1, additive=0):
    shown = bytes([1 | round((1 - opacity) * 100) << 1])
    out = bytes([number]) + _fixed(os.path.splitext(os.path.basename(path))[0], 100) + _fixed(_path(path), 256)
    out += bytes([order]) + _pack("iii", 0, 0, 0) + shown + _pack("ii", -1, 0)
    out += _pack("7f", *position, *rotation, scale) + bytes([shadow, 0]) + _pack("i", 0)
    out += shown + _pack("ii", -1, 0) + _pack("7f", *rotation, scale, *position)
    return out + bytes([shadow, additive])


def _keys(keys):
    """Returns keys of frames 0, 1, 2 ... as records that name their neighbours."""
    out = _pack("iii", 0, 0, 1 if len(keys) > 1 else 0) + keys[0] + _pack("i", len(keys) - 1)
    for i, key in enumerate(keys[1:], 1):
        out += _pack("4i", i, i, i - 1, i + 1 if i + 1 < len(keys) else 0) + key
    return out


def _camera(fov=30, target=(0, 10, 0), distance=45, angles=(0, 0, 0), orthographic=0):
    out = _pack("7f", -distance, *target, *angles) + _pack("ii", -1, 0) + bytes([20, 107, 20, 107] * 6)
    return out + bytes([orthographic]) + _pack("i", fov) + b"\0"


def write(path, models, accessories, size=(320, 240), cameras=({},), lights=(((0.6, 0.6, 0.6), (-0.5, -1, 0.5)),),
          shadows=((1, 0.01125),), self_shadow=0, ground_shadow=0, brightness=1.0, transparent=0, edge_color=(0, 0, 0),
          background=None, black=0, capture=0):
    """cameras: arguments of _camera; lights: (colour, direction); shadows: (mode, distance as the file has it), each
    for frames 0, 1, 2 ...; background: (picture, x, y, scale); capture: what screen.bmp shows."""
    first = dict(dict(fov=30, target=(0, 10, 0), distance=45, angles=(0, 0, 0), orthographic=0), **cameras[0])
    out = _fixed("Polygon Movie maker 0002", 30) + _pack("iiif", *size, 250, first["fov"]) + b"\1" * 7 + b"\0"
    out += bytes([len(models)]) + b"".join(_model(i, **model) for i, model in enumerate(models))
    out += _keys([_camera(**camera) for camera in cameras])
    out += _pack("9f", *first["target"], 0, 0, -first["distance"], *first["angles"]) + bytes([first["orthographic"]])
    out += _keys([_pack("6f", *color, *direction) + b"\0" for color, direction in lights])
    out += _pack("6f", *lights[0][0], *lights[0][1]) + b"\0" + _pack("i", 0) + bytes([len(accessories)])
    for accessory in accessories:
        out += _fixed(os.path.splitext(os.path.basename(accessory["path"]))[0], 100)
    out += b"".join(_accessory(i, order=i, **accessory) for i, accessory in enumerate(accessories))
    out += _pack("4i", 0, 0, 500, 2) + bytes(4) + _pack("ii", 0, 0) + b"\0" + bytes(256)  # frame, playing, no sound
    out += _pack("iif", 0, 0, 1.0) + bytes(256) + _pack("i", 0)  # no video
    out += _pack("iif", *(background[1:] if background else (0, 0, 1.0)))
    out += _fixed(_path(background[0]) if background else "", 256) + bytes([1 if background else 0])
    out += bytes([0, 0, ground_shadow]) + _pack("fi", 60.0, capture)
    out += _pack("if", 1, brightness) + bytes([transparent, 0])  # accessories after the first one follow the models
    out += _pack("fi3f", 9.8, 10, 0, -1, 0) + b"\0" + _pack("iii", 0, 0, 0) + b"\0" + _pack("i4fi", 10, 9.8, 0, -1, 0, 0)
    out += b"\0" + bytes([self_shadow]) + _pack("f", shadows[0][1])
    out += _keys([bytes([mode]) + _pack("f", distance) + b"\0" for mode, distance in shadows])
    out += _pack("3i", *edge_color) + bytes([black]) + _pack("ii", -1, 0)
    out += _pack("16f", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) + bytes([0, 0, 1]) + _pack("i", 0)
    out += b"\1" + b"".join(bytes([i]) + _pack("i", 0) for i in range(len(models)))
    with open(path, "wb") as file:
        file.write(out)
