"""Makes what the cases of pictures show: meshes of models and of accessories, and textures."""
import math
import struct
import zlib

from writer import BDEF1, Vertex


def box(center, half, skin=(BDEF1, 0), edge=1):
    """Returns a box with normals of its faces."""
    vertices, triangles = [], []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in (-1, 1):
            first = len(vertices)
            for a, b in ((-1, -1), (-1, 1), (1, 1), (1, -1)):
                place, normal = list(center), [0, 0, 0]
                place[axis] += side * half[axis]
                place[u] += a * half[u]
                place[v] += b * half[v]
                normal[axis] = side
                vertices.append(Vertex(tuple(place), tuple(normal), ((a + 1) / 2, (b + 1) / 2), skin, edge))
            corners = (0, 1, 2, 3) if side < 0 else (0, 3, 2, 1)  # clockwise from outside
            triangles += [tuple(first + corners[i] for i in triangle) for triangle in ((0, 1, 2), (0, 2, 3))]
    return vertices, triangles


def sheet(center, half, across=1, uv=1, length=1, skin=(BDEF1, 0)):
    """Returns an upright rectangle that faces the camera, of across² squares. length: of the normals."""
    vertices, triangles = [], []
    for row in range(across + 1):
        for column in range(across + 1):
            x, y = column / across, row / across
            place = (center[0] + (2 * x - 1) * half[0], center[1] + (1 - 2 * y) * half[1], center[2])
            vertices.append(Vertex(place, (0, 0, -length), (x * uv, y * uv), skin, 1, (y, x, 0, 0)))
    for row in range(across):
        for column in range(across):
            a = row * (across + 1) + column
            triangles += [(a, a + 1, a + across + 2), (a, a + across + 2, a + across + 1)]
    return vertices, triangles


def ball(center, radius, rows=8, columns=12, length=1, skin=lambda place: (BDEF1, 0)):
    """Returns a ball. length: of the normals. skin: returns how a place is skinned."""
    vertices, triangles = [], []
    for row in range(rows + 1):
        down = math.pi * row / rows
        for column in range(columns + 1):
            around = 2 * math.pi * column / columns
            normal = (math.sin(down) * math.cos(around), math.cos(down), math.sin(down) * math.sin(around))
            place = tuple(c + radius * n for c, n in zip(center, normal))
            uv = (column / columns, row / rows)
            vertices.append(Vertex(place, tuple(length * n for n in normal), uv, skin(place), 1, uv + (0, 0)))
    for row in range(rows):
        for column in range(columns):
            a = row * (columns + 1) + column
            triangles += [(a, a + 1, a + columns + 1), (a + 1, a + columns + 2, a + columns + 1)]
    return vertices, triangles


def tube(center, radius, height, skin, rows=10, columns=12):
    """Returns an upright tube. skin: returns how a place is skinned."""
    vertices, triangles = [], []
    for row in range(rows + 1):
        for column in range(columns + 1):
            around = 2 * math.pi * column / columns
            normal = (math.cos(around), 0, math.sin(around))
            place = (center[0] + radius * normal[0], center[1] + height * (0.5 - row / rows),
                     center[2] + radius * normal[2])
            vertices.append(Vertex(place, normal, (column / columns, row / rows), skin(place)))
    for row in range(rows):
        for column in range(columns):
            a = row * (columns + 1) + column
            triangles += [(a, a + 1, a + columns + 1), (a + 1, a + columns + 2, a + columns + 1)]
    return vertices, triangles


def accessory(mesh, diffuse=(1, 1, 1, 1), power=5, specular=(0, 0, 0), emissive=(0, 0, 0), texture=None):
    """Returns a .x file of one material, whose unit is ten of MMD's."""
    vertices, triangles = mesh

    def lists(rows, numbers):
        return "%d;\n%s;\n" % (len(rows), ",\n".join(numbers(row) for row in rows))

    def floats(values):
        return "".join("%.6f;" % value for value in values)

    faces = lists(triangles, lambda triangle: "3;%d,%d,%d;" % triangle)
    out = "xof 0303txt 0032\nMesh {\n" + lists(vertices, lambda v: floats(p / 10 for p in v.position)) + faces
    out += "MeshMaterialList {\n1;\n" + lists(triangles, lambda triangle: "0")
    out += "Material {\n%s;\n%.6f;\n%s;\n%s;\n" % (floats(diffuse), power, floats(specular), floats(emissive))
    out += ('TextureFilename { "%s"; }\n' % texture if texture else "") + "}\n}\n"
    out += "MeshNormals {\n" + lists(vertices, lambda v: floats(v.normal)) + faces + "}\n"
    out += "MeshTextureCoords {\n" + lists(vertices, lambda v: floats(v.uv)) + "}\n}\n"
    return out.encode("ascii")


def png(width, height, color):
    """Returns a PNG of color(x, y), RGBA."""
    rows = b"".join(b"\0" + bytes(sum((tuple(color(x, y)) for x in range(width)), ())) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def bmp(width, height, color):
    """Returns a BMP of color(x, y), RGB; width is a multiple of 4."""
    rows = b"".join(bytes(color(x, y)[2::-1]) for y in reversed(range(height)) for x in range(width))
    return b"BM" + struct.pack("<IIIIiiHHIIiiII", 54 + len(rows), 0, 54, 40, width, height, 1, 24, 0, len(rows), 0, 0, 0, 0) + rows


def tga(width, height, color):
    """Returns a TGA of color(x, y), RGBA."""
    rows = b"".join(bytes(color(x, y)[2::-1]) + bytes(color(x, y)[3:4]) for y in range(height) for x in range(width))
    return struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, width, height, 32, 0x28) + rows
