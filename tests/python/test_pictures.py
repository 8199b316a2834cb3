"""Pictures and numbers of the package are those of the program."""

import numpy as np
import pytest

import odori
from conftest import CAMERA, MODEL, MOTION, SIZE, program_bones

DANCE = (MODEL, "--motion", MOTION)

VARIANTS = [
    ([], {}),
    (["--physics", "off"], {"physics": False}),
    (["--gravity", "0,-20,5", "--physics-ground", "off"], {"physics": {"gravity": (0, -20, 5), "ground": False}}),
    (["--physics-rate", "120"], {"physics": {"rate": 120}}),
    (["--background", "336699"], {"background": "#336699"}),
    (["--background", "336699", "--edge", "off"], {"background": (0x33, 0x66, 0x99), "edge": False}),
    (["--background", "transparent"], {"background": "transparent"}),
    (["--grid", "on", "--msaa", "4"], {"grid": True, "msaa": 4}),
    (["--ground-shadow", "on", "--self-shadow", "on"], {"ground_shadow": True, "self_shadow": True}),
    (["--shading", "smooth"], {"shading": "smooth"}),
    (["--camera", CAMERA], {"camera": CAMERA}),
]


@pytest.mark.parametrize("arguments, options", VARIANTS, ids=lambda given: "-".join(map(str, given))[:40])
def test_a_shot_has_the_pixels_of_the_program(program_shot, arguments, options):
    wanted = program_shot(*DANCE, "--frame", 75.5, *arguments)
    got = odori.shot(MODEL, MOTION, 75.5, SIZE, **options)
    assert got.shape == (SIZE[1], SIZE[0], 4) and got.dtype == np.uint8
    assert (got == wanted).all()
    assert got[..., :3].std() > 5


def test_options_change_pictures():
    plain = odori.shot(MODEL, MOTION, 75.5, SIZE)
    for _, options in VARIANTS[1:]:
        assert (odori.shot(MODEL, MOTION, 75.5, SIZE, **options) != plain).any(), options


def test_several_models_and_motions(program_shot):
    wanted = program_shot(MODEL, MODEL, "--motion", MOTION, "--motion", CAMERA, "--frame", 40)
    assert (odori.shot([MODEL, str(MODEL)], [MOTION, CAMERA], 40, SIZE) == wanted).all()


@pytest.mark.parametrize("physics", [False, True])
def test_bones_are_those_of_dump(physics):
    frames = [0, 7, 15.5, 300, 100]
    wanted = program_bones(*DANCE, "--frames", "0,7,15.5,300,100", "--physics", "on" if physics else "off")
    got = odori.bones(MODEL, MOTION, frames, physics=physics)
    assert got.dtype == np.float32 and got.shape == (5, 177, 4, 4) and got.flags.owndata
    assert (got == wanted).all()
    # Column vectors: the origin of a bone is its joint, in the last column.
    head = got[0, 7] @ np.array([0, 0, 0, 1])
    assert head[3] == 1 and 10 < head[1] < 20
    assert len(np.unique(got[:, 7, :3, 3], axis=0)) == len(frames)


def test_pictures_own_their_memory():
    with odori.Stage() as stage:
        stage.open(MODEL)
        first = stage.picture(SIZE)
        copy = first.copy()
        stage.frame = 90
        second = stage.picture(SIZE, background="000000")
    first[0, 0] = 7
    assert (first[1:] == copy[1:]).all() and (second[0, 0] == (0, 0, 0, 255)).all()
    assert first.flags.owndata and first.flags.writeable


def test_pictures_are_written_and_read(tmp_path):
    picture = np.random.default_rng(1).integers(0, 256, (13, 17, 4), np.uint8)
    odori.write_picture(tmp_path / "a.png", picture)
    assert (odori.read_picture(tmp_path / "a.png") == picture).all()
    odori.write_picture(tmp_path / "b.png", picture[::2, ::-1, :3])
    read = odori.read_picture(str(tmp_path / "b.png"))
    assert (read[..., :3] == picture[::2, ::-1, :3]).all() and (read[..., 3] == 255).all()


def test_comparisons(tmp_path, frees_everything):
    a = odori.shot(MODEL, size=SIZE)
    equal = odori.compare(a, a.copy())
    assert equal and equal.passed and equal.equal and equal.why == "equal" and equal.metrics["psnr"] == np.inf
    b = a.copy()
    b[40:50, 60:70, 0] ^= 9
    odori.write_picture(tmp_path / "b.png", b)
    different = odori.compare(a, tmp_path / "b.png")
    assert not different and not different.equal and different.box == (60, 40, 10, 10)
    assert different.metrics["max"] == 9 and different.metrics["share"] == 100 / (SIZE[0] * SIZE[1])
    assert odori.compare(a, b, max=9).passed and not odori.compare(a, b, max=9).equal
    worse = odori.compare(a[..., :3], b, max=8, ssim=0.5)
    assert not worse and "max is 9, at most 8 is allowed" in worse.exceeded
    assert odori.compare(a, np.roll(a, 3, axis=1)).kind == "moved"
    heat = odori.heat_map(a, b)
    assert heat.shape == a.shape and (heat[45, 65] != heat[0, 0]).any()
    assert (odori.heat_map(a, b, levels=9)[45, 65, :3] > heat[45, 65, :3]).any()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda a: odori.compare(a.astype(float), a),
        lambda a: odori.compare(a[..., 0], a),
        lambda a: odori.compare(a[:0], a),
        lambda a: odori.compare(a, np.zeros((4, 4, 2), np.uint8)),
        lambda a: odori.compare(a, a, max=-1),
        lambda a: odori.compare(a, a, ssim=float("nan")),
        lambda a: odori.compare(a, a, flip=2),
        lambda a: odori.heat_map(a, a, levels=0),
        lambda a: odori.compare(a, "no\0path"),
        lambda a: odori.compare(a, ""),
    ],
)
def test_wrong_pictures_and_limits(wrong):
    with pytest.raises(ValueError):
        wrong(np.zeros((8, 8, 4), np.uint8))


def test_unknown_metrics_and_files(tmp_path):
    a = np.zeros((8, 8, 4), np.uint8)
    with pytest.raises(TypeError, match="those are max, mean, p99"):
        odori.compare(a, a, sharpness=1)
    with pytest.raises(FileNotFoundError):
        odori.compare(a, tmp_path / "none.png")
    with pytest.raises(odori.FileError):
        odori.write_picture(tmp_path / "no folder" / "a.png", a)
    assert issubclass(odori.FileError, OSError)
