"""Writes small PMX 2.0 models and VMD motions: bones, IK, morphs, rigid bodies and joints, and what is drawn.

MMD asks for a bone センター, and computes only bones that have a vertex; so each bone gets one where nothing is drawn.
"""
import collections
import math
import struct

ROTATE, MOVE, SHOWN, ENABLED = 0x2, 0x4, 0x8, 0x10
IK, APPEND_LOCAL, APPEND_ROTATION, APPEND_MOVE = 0x20, 0x80, 0x100, 0x200
FIXED_AXIS, LOCAL_AXES, AFTER_PHYSICS = 0x400, 0x800, 0x1000
SPHERE, BOX, CAPSULE = 0, 1, 2
BDEF1, BDEF2, BDEF4, SDEF, QDEF = range(5)
NO_CULL, GROUND_SHADOW, CAST, RECEIVE, EDGE = 0x1, 0x2, 0x4, 0x8, 0x10
MULTIPLY, ADD, SUB_TEXTURE = 1, 2, 3  # modes of spheres
VERTEX_MORPH, UV_MORPH, MATERIAL_MORPH = 1, 3, 8
STRAIGHT = (20, 20, 107, 107)  # a curve of VMD: x1, y1, x2, y2


# skin: (BDEF1, bone), (BDEF2, a, b, weight of a), (SDEF, a, b, weight of a, C, R0, R1), (BDEF4 or QDEF, bones, weights).
Vertex = collections.namedtuple("Vertex", "position normal uv skin edge extra",
                                defaults=((0, 0, -1), (0, 0), (BDEF1, 0), 1, (0, 0, 0, 0)))


def turn(axis, degrees):
    """Returns the quaternion (x, y, z, w) of a turn about an axis."""
    half = math.radians(degrees) / 2
    length = math.sqrt(sum(a * a for a in axis))
    return tuple(a / length * math.sin(half) for a in axis) + (math.cos(half),)


def _floats(*values):
    return struct.pack("<%df" % len(values), *values)


def _text(text):
    data = text.encode("utf-16-le")
    return struct.pack("<i", len(data)) + data


def _name(text, size):
    return text.encode("cp932")[:size].ljust(size, b"\0")


class Model:
    """A model of one question, with its motion."""

    def __init__(self):
        self.bones, self.morphs, self.bodies, self.joints = [], [], [], []
        self.keys, self.morph_keys, self.ik_keys = [], [], []
        self.vertices, self.triangles, self.materials, self.textures = [], [], [], []
        self.add("センター", (0, 0, 0), parent=-1)

    def index(self, name):
        return next(i for i, bone in enumerate(self.bones) if bone["name"] == name)

    def add(self, name, position, parent=0, level=0, append=None, flags=0, axis=None, local=None, ik=None):
        """Adds a bone and returns its index. append is (source, ratio) or (source, ratio, flags of what)."""
        self.bones.append(dict(name=name, position=position, parent=parent, level=level, append=append, flags=flags,
                               axis=axis, local=local, ik=ik))
        return len(self.bones) - 1

    def add_ik(self, name, target, links, loops=40, limit=0.5, parent=0, level=1, flags=0, at=None):
        """Adds an IK bone. A link is the index of a bone, or (index, lower angles, upper angles) in degrees."""
        links = [link if isinstance(link, tuple) else (link,) for link in links]
        return self.add(name, at or self.bones[target]["position"], parent, level, flags=flags,
                        ik=(target, loops, limit, links))

    def key(self, name, frame, position=(0, 0, 0), rotation=(0, 0, 0, 1), curves=(STRAIGHT,) * 4):
        self.keys.append((frame, name, position, rotation, curves))

    def body(self, name, bone, position, shape=SPHERE, size=(0.5, 0.5, 0.5), rotation=(0, 0, 0), mode=1, group=0,
             mask=0, mass=1, damping=(0, 0), restitution=0, friction=0.5):
        """Adds a rigid body and returns its index. mask 0: it collides with nothing."""
        self.bodies.append((name, bone, group, mask, shape, size, position, rotation, mass, damping, restitution,
                            friction, mode))
        return len(self.bodies) - 1

    def joint(self, a, b, position, move=((0, 0, 0), (0, 0, 0)), angles=((0, 0, 0), (0, 0, 0)),
              springs=((0, 0, 0), (0, 0, 0)), rotation=(0, 0, 0)):
        """Joins two bodies. move and angles: (lower, upper); springs: (linear, angular)."""
        self.joints.append((a, b, position, rotation, move, angles, springs))

    def draw(self, mesh, diffuse=(1, 1, 1, 1), ambient=(0.2, 0.2, 0.2), specular=(0, 0, 0), power=0, flags=0,
             edge=(0, 0, 0, 1), edge_size=1, texture=None, sphere=None, sphere_mode=0, toon=0):
        """Adds a material of (vertices, triangles). Textures are names of files; toon: one, a shared toon, or None."""
        vertices, triangles = mesh
        first = len(self.vertices)
        self.vertices += vertices
        self.triangles += [tuple(first + i for i in triangle) for triangle in triangles]
        shared = isinstance(toon, int)
        out = _text("m") + _text("m") + _floats(*diffuse, *specular, power, *ambient) + bytes([flags])
        out += _floats(*edge, edge_size)
        out += struct.pack("<bbBB", self._texture(texture), self._texture(sphere), sphere_mode, shared)
        out += struct.pack("<b", toon if shared else self._texture(toon)) + _text("")
        self.materials.append(out + struct.pack("<i", 3 * len(triangles)))

    def _texture(self, name):
        if name is None:
            return -1
        if name not in self.textures:
            self.textures.append(name)
        return self.textures.index(name)

    def pmx(self):
        if not self.materials:
            places = [bone["position"] for bone in self.bones]
            mesh = [Vertex(place, skin=(BDEF1, i)) for i, place in enumerate(places)]
            mesh += [Vertex((1, i, 0)) for i in range(3 - len(mesh))]
            self.draw((mesh, [(i, i + 1, i + 2) for i in range(len(mesh) - 2)]), flags=NO_CULL)
        count = len(self.bones)
        out = b"PMX " + _floats(2.0) + bytes([8, 0, 1, 2, 1, 1, 2, 1, 2])
        out += _text("parity") + _text("parity") + _text("") + _text("")
        out += struct.pack("<i", len(self.vertices)) + b"".join(map(self._vertex, self.vertices))
        out += struct.pack("<i", 3 * len(self.triangles))
        out += b"".join(struct.pack("<3H", *triangle) for triangle in self.triangles)
        out += struct.pack("<i", len(self.textures)) + b"".join(map(_text, self.textures))
        out += struct.pack("<i", len(self.materials)) + b"".join(self.materials)
        out += struct.pack("<i", count) + b"".join(map(self._bone, self.bones))
        out += struct.pack("<i", len(self.morphs)) + b"".join(map(self._morph, self.morphs))
        out += struct.pack("<i", 3)
        out += _text("Root") + _text("Root") + struct.pack("<bibh", 1, 1, 0, 0)
        out += _text("表情") + _text("Exp") + struct.pack("<bi", 1, len(self.morphs))
        out += b"".join(struct.pack("<bb", 1, i) for i in range(len(self.morphs)))
        out += _text("bones") + _text("bones") + struct.pack("<bi", 0, count - 1)
        out += b"".join(struct.pack("<bh", 0, i) for i in range(1, count))
        out += struct.pack("<i", len(self.bodies)) + b"".join(map(self._body, self.bodies))
        out += struct.pack("<i", len(self.joints))
        for a, b, position, rotation, move, angles, springs in self.joints:
            out += _text("joint") + _text("") + struct.pack("<bhh", 0, a, b)
            out += _floats(*position, *rotation, *move[0], *move[1], *angles[0], *angles[1], *springs[0], *springs[1])
        return out

    @staticmethod
    def _vertex(vertex):
        kind = vertex.skin[0]
        out = _floats(*vertex.position, *vertex.normal, *vertex.uv, *vertex.extra) + bytes([kind])
        if kind == BDEF1:
            out += struct.pack("<h", vertex.skin[1])
        elif kind in (BDEF2, SDEF):
            out += struct.pack("<hhf", *vertex.skin[1:4]) + b"".join(_floats(*point) for point in vertex.skin[4:])
        else:
            out += struct.pack("<4h4f", *vertex.skin[1], *vertex.skin[2])
        return out + _floats(vertex.edge)

    @staticmethod
    def _bone(bone):
        flags = ROTATE | MOVE | SHOWN | ENABLED | bone["flags"]
        append = bone["append"]
        if append:
            flags |= append[2] if len(append) > 2 else APPEND_ROTATION
        for field, flag in (("axis", FIXED_AXIS), ("local", LOCAL_AXES), ("ik", IK)):
            flags |= flag if bone[field] else 0
        out = _text(bone["name"]) + _text("") + _floats(*bone["position"])
        out += struct.pack("<hiH", bone["parent"], bone["level"], flags) + _floats(0, 1, 0)
        if append:
            out += struct.pack("<hf", append[0], append[1])
        if bone["axis"]:
            out += _floats(*bone["axis"])
        if bone["local"]:
            out += _floats(*bone["local"][0], *bone["local"][1])
        if bone["ik"]:
            target, loops, limit, links = bone["ik"]
            out += struct.pack("<hifi", target, loops, limit, len(links))
            for link in links:
                out += struct.pack("<hb", link[0], len(link) > 1)
                if len(link) > 1:
                    out += _floats(*map(math.radians, link[1] + link[2]))
        return out

    @staticmethod
    def _morph(morph):
        """A morph is (name, [(bone, position, rotation)...]), or (name, [(morph, weight)...]) for a group, or
        (name, parts, kind): parts are (vertex, offset), or (material, operation, 28 numbers)."""
        name, parts = morph[:2]
        if len(morph) > 2:
            out = _text(name) + _text("") + struct.pack("<bbi", 4, morph[2], len(parts))
            if morph[2] == MATERIAL_MORPH:
                return out + b"".join(struct.pack("<bB28f", *part[:2], *part[2]) for part in parts)
            return out + b"".join(struct.pack("<H", part[0]) + _floats(*part[1]) for part in parts)
        group = len(parts[0]) == 2
        out = _text(name) + _text("") + struct.pack("<bbi", 4, 0 if group else 2, len(parts))
        for part in parts:
            out += struct.pack("<bf", *part) if group else struct.pack("<h", part[0]) + _floats(*part[1], *part[2])
        return out

    @staticmethod
    def _body(body):
        name, bone, group, mask, shape, size, position, rotation, mass, damping, restitution, friction, mode = body
        return (_text(name) + _text("") + struct.pack("<hBHB", bone, group, mask, shape) +
                _floats(*size, *position, *rotation, mass, *damping, restitution, friction) + struct.pack("<B", mode))

    def vmd(self):
        out = _name("Vocaloid Motion Data 0002", 30) + _name("parity", 20) + struct.pack("<I", len(self.keys))
        for frame, name, position, rotation, curves in sorted(self.keys, key=lambda key: key[0]):
            row = bytes(curves[channel][i] for i in range(4) for channel in range(4))
            # Rows repeat the first, shifted; bytes 2 and 3 of the first are other flags (0 here).
            block = row + b"".join(row[i:] + b"\1" + bytes(i - 1) for i in (1, 2, 3))
            out += _name(name, 15) + struct.pack("<I", frame) + _floats(*position, *rotation)
            out += block[:2] + b"\0\0" + block[4:]
        out += struct.pack("<I", len(self.morph_keys))
        for frame, name, weight in sorted(self.morph_keys):
            out += _name(name, 15) + struct.pack("<If", frame, weight)
        out += struct.pack("<IIII", 0, 0, 0, len(self.ik_keys))  # camera, light, self shadow
        for frame, states in sorted(self.ik_keys):
            out += struct.pack("<IBI", frame, 1, len(states))
            out += b"".join(_name(name, 20) + struct.pack("<B", on) for name, on in states)
        return out
