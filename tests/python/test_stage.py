"""Stages: posing and asking, mistakes, failures, memory and threads."""

import gc
import logging
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import odori
from conftest import CAMERA, MODEL, MOTION, PROGRAM, SIZE
from odori._library import libraries


def test_what_is_there(stage):
    (model,) = stage.models
    assert model.name == "おどり" and model.path == str(MODEL) and model.index == 0
    assert len(model.bones) == 177 and model.bones[7] == "頭"
    assert len(set(model.morphs)) == len(model.morphs) > 10 and len(model.materials) > 5
    assert stage.frame == 0
    stage.open_motion(MOTION)
    assert stage.last_frame > 600
    second = stage.open_model(MODEL)
    assert second.index == 1 and len(stage.models) == 2


def test_poses_by_hand(stage):
    head, neck = stage.models[0].bones.index("頭"), stage.models[0].bones.index("首")
    before = stage.bones()
    stage.set_bone("首", translation=(1, 2, 3))
    moved = stage.bones()
    assert np.allclose(moved[neck, :3, 3] - before[neck, :3, 3], (1, 2, 3), atol=1e-5)
    assert np.allclose(moved[head, :3, 3] - before[head, :3, 3], (1, 2, 3), atol=1e-5)
    stage.set_bone(neck, rotation=(0, 2, 0, 2))  # a quarter about y, not normalised
    assert np.allclose(stage.bones()[neck, :3, :3], [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], atol=1e-5)
    stage.set_bone("首")
    assert (stage.bones() == before).all()
    stage.place(0, position=(10, 0, 0), scale=2)
    assert np.allclose(stage.bones()[head, :3, 3], before[head, :3, 3] * 2 + (10, 0, 0), atol=1e-4)


def test_morphs(stage):
    stage.open_motion(MOTION)
    stage.frame = 50
    name = stage.models[0].morphs[0]
    own = stage.morph_weight(name)
    picture = stage.picture(SIZE)
    stage.set_morph(name, 0.75)
    assert stage.morph_weight(0) == 0.75
    stage.set_morph(name, None)
    assert stage.morph_weight(name) == own and (stage.picture(SIZE) == picture).all()


def test_camera_light_and_visibility(stage):
    usual = stage.picture(SIZE)
    assert stage.look == odori.Look()
    stage.look = odori.Look(target=(0, 16, 0), distance=10)
    near = stage.picture(SIZE)
    assert (near != usual).any() and stage.look.distance == 10
    stage.look = None
    assert (stage.picture(SIZE) == usual).all()
    look = stage.fit((100, 400))
    assert look.fov == 30 and look.distance > 0
    stage.set_light(color=(1, 0, 0), direction=(1, 0, 0))
    assert (stage.picture(SIZE) != usual).any()
    stage.set_light()
    assert (stage.picture(SIZE) == usual).all()
    ids = stage.ids(SIZE)
    assert ids.shape == (SIZE[1], SIZE[0], 3) and ids.dtype == np.int32 and set(np.unique(ids[..., 0])) == {-1, 0}
    assert 0 <= ids[..., 2].max() < 177
    stage.show(0, False)
    assert (stage.ids(SIZE) == -1).all() and stage.fit() is None
    stage.open_camera(CAMERA)
    assert stage.look != odori.Look()


def test_an_empty_stage(tmp_path):
    with odori.Stage() as stage:
        stage.frame = 20
        assert (stage.picture(SIZE) == 255).all() and (stage.ids(SIZE) == -1).all()
        stage.write_ids(tmp_path / "a.ids.png", SIZE)
        assert stage.models == () and stage.last_frame == 0 and stage.fit() is None
        with pytest.raises(IndexError):
            stage.bones()


def test_ids_with_names_let_the_program_name_the_cause(stage, tmp_path):
    odori.write_picture(tmp_path / "a.png", stage.picture(SIZE))
    stage.write_ids(tmp_path / "a.ids.png", SIZE)
    wanted = odori.read_picture(tmp_path / "a.ids.png")
    subprocess.run(
        [PROGRAM, "shot", MODEL, "--size", "{}x{}".format(*SIZE), "--ids", "-o", tmp_path / "b.png"], check=True
    )
    assert (odori.read_picture(tmp_path / "b.ids.png") == wanted).all()
    stage.set_light(color=(1, 1, 0.8))
    odori.write_picture(tmp_path / "b.png", stage.picture(SIZE))
    command = [PROGRAM, "diff", tmp_path / "a.png", tmp_path / "b.png"]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    assert "in material 靴 of おどり" in output.splitlines()[0]


def test_frames_go_on_and_are_those_of_single_shots(stage):
    stage.open_motion(MOTION)
    frames = list(stage.frames(10, 40, 7.5, size=SIZE, background="112233"))
    assert len(frames) == 4 and stage.frame == 32.5
    for i, picture in enumerate(frames):
        assert (picture == odori.shot(MODEL, MOTION, 10 + 7.5 * i, SIZE, background="112233")).all()
    assert len(list(stage.frames(2, -1, -1, size=SIZE))) == 3 and stage.frame == 0
    assert list(stage.frames(5, 5)) == []


def test_long_ways_give_the_same_bits(stage):
    stage.open_motion(MOTION)
    stage.frame = 650  # in steps, so that Ctrl+C works
    far = stage.bones()
    for frame in range(651):
        stage.frame = frame
    assert (stage.bones() == far).all()


def test_two_stages_draw_in_turn():
    with odori.Stage() as a, odori.Stage() as b:
        for stage in (a, b):
            stage.open_model(MODEL)
        b.open_motion(MOTION)
        a.frame = b.frame = 80
        alone = odori.shot(MODEL, None, 80, SIZE), odori.shot(MODEL, MOTION, 80, SIZE)
        for _ in range(2):
            assert (a.picture(SIZE) == alone[0]).all() and (b.picture(SIZE) == alone[1]).all()
        b.close()
        assert (a.picture(SIZE) == alone[0]).all()


MISTAKES = [
    (ValueError, lambda s: setattr(s, "frame", float("nan"))),
    (ValueError, lambda s: setattr(s, "frame", -1)),
    (ValueError, lambda s: setattr(s, "frame", 1e300)),
    (ValueError, lambda s: setattr(s, "frame", float("inf"))),
    (IndexError, lambda s: s.bones(1)),
    (IndexError, lambda s: s.bones(-1)),
    (IndexError, lambda s: s.set_bone(177, (0, 0, 0))),
    (IndexError, lambda s: s.set_bone(2**70, (0, 0, 0))),
    (ValueError, lambda s: s.set_bone("no bone", (0, 0, 0))),
    (ValueError, lambda s: s.set_bone("頭\0", (0, 0, 0))),
    (ValueError, lambda s: s.set_bone(0, (0, 0))),
    (ValueError, lambda s: s.set_bone(0, (0, 0, float("nan")))),
    (ValueError, lambda s: s.set_bone(0, (0, 0, 1e39))),
    (ValueError, lambda s: s.set_bone(0, None, (0, 0, 0, 0))),
    (ValueError, lambda s: s.set_bone(0, 5)),
    (IndexError, lambda s: s.set_morph(10**6, 1)),
    (ValueError, lambda s: s.set_morph(0, float("nan"))),
    (ValueError, lambda s: s.set_morph(0, float("inf"))),
    (IndexError, lambda s: s.morph_weight(-1)),
    (ValueError, lambda s: s.place(0, scale=0)),
    (ValueError, lambda s: s.place(0, position=(1, 2))),
    (IndexError, lambda s: s.place(3)),
    (IndexError, lambda s: s.show(1)),
    (IndexError, lambda s: s.missing_textures(1)),
    (IndexError, lambda s: s.open_motion(MOTION, 1)),
    (ValueError, lambda s: setattr(s, "look", odori.Look(fov=0))),
    (ValueError, lambda s: setattr(s, "look", odori.Look(distance=float("nan")))),
    (ValueError, lambda s: setattr(s, "look", odori.Look(target=(0, 0)))),
    (ValueError, lambda s: s.fit((0, 10))),
    (ValueError, lambda s: s.set_light(color=(1, 1))),
    (ValueError, lambda s: s.set_light(direction=(0, 0, 0))),
    (ValueError, lambda s: s.picture((0, 5))),
    (ValueError, lambda s: s.picture((16385, 5))),
    (ValueError, lambda s: s.picture((5,))),
    (ValueError, lambda s: s.picture(7)),
    (ValueError, lambda s: s.picture((5.5, 5))),
    (ValueError, lambda s: s.ids((-1, 5))),
    (ValueError, lambda s: s.picture((5, 5), background="red")),
    (ValueError, lambda s: s.picture((5, 5), background=(1, 2, 300))),
    (ValueError, lambda s: s.picture((5, 5), msaa=65)),
    (ValueError, lambda s: s.picture((5, 5), shading="flat")),
    (TypeError, lambda s: s.picture((5, 5), colour="red")),
    (ValueError, lambda s: s.frames(0, 10, 0)),
    (ValueError, lambda s: s.frames(-1, 10)),
    (ValueError, lambda s: s.frames(0, float("inf"))),
    (ValueError, lambda s: s.set_physics(True, rate=5)),
    (ValueError, lambda s: s.set_physics(True, gravity=(0, 0, float("nan")))),
    (TypeError, lambda s: s.set_physics(True, wind=1)),
    (ValueError, lambda s: s.set_physics(False, rate=60)),
    (ValueError, lambda s: s.open("")),
    (TypeError, lambda s: s.open(None)),
]


@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_mistakes_raise_and_change_nothing(number, stage):
    before = stage.bones()
    error, mistake = MISTAKES[number]
    with pytest.raises(error) as raised:
        mistake(stage)
    assert not isinstance(raised.value, odori.Error)  # the library was not asked
    assert stage.frame == 0 and (stage.bones() == before).all()


def test_a_closed_stage_says_so(stage, tmp_path):
    frames = stage.frames(0, 3, size=SIZE)
    next(frames)
    stage.close()
    stage.close()
    uses = [
        stage.bones,
        stage.picture,
        stage.ids,
        stage.fit,
        lambda: stage.models,
        lambda: stage.frame,
        lambda: stage.look,
        lambda: stage.open(MODEL),
        lambda: stage.set_bone(0),
        lambda: next(frames),
    ]
    for use in uses:
        with pytest.raises(RuntimeError, match="closed"):
            use()


def test_failures_say_where(tmp_path, stage):
    data = MODEL.read_bytes()
    (tmp_path / "cut.pmx").write_bytes(data[:5000])
    with pytest.raises(odori.FormatError) as raised:
        stage.open_model(tmp_path / "cut.pmx")
    error = raised.value
    assert isinstance(error, ValueError) and error.code == "MMD_ERROR_COUNT"
    assert error.file == str(tmp_path / "cut.pmx") and error.section and 0 < error.offset <= 5000
    assert str(error).startswith(error.file) and error.message in str(error)
    with pytest.raises(FileNotFoundError) as raised:
        stage.open_motion(tmp_path / "none.vmd")
    assert raised.value.code == "MMD_ERROR_NOT_FOUND" and raised.value.filename == str(tmp_path / "none.vmd")
    assert raised.value.offset is None and "none.vmd" in str(raised.value)
    stage.open_model(MODEL, backdrop=True)
    with pytest.raises(odori.ArgumentError):
        stage.open_model(MODEL, backdrop=True)
    assert len(stage.models) == 2


def test_warnings_go_to_the_logger(tmp_path, caplog):
    (tmp_path / "alone.pmx").write_bytes(MODEL.read_bytes())
    with caplog.at_level(logging.WARNING, "odori"), odori.Stage() as stage:
        model = stage.open_model(tmp_path / "alone.pmx")
        stage.picture(SIZE)
        missing = stage.missing_textures(model)
    assert missing and any(missing[0] in record.getMessage() for record in caplog.records)


def resident_kib():
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def test_stages_free_their_memory(frees_everything):
    def use():
        with odori.Stage() as stage:
            stage.open(MODEL)
            stage.open_motion(MOTION)
            stage.frame = 5
            stage.bones()

    for _ in range(10):
        use()
    before = resident_kib()
    for _ in range(100):
        use()
    assert resident_kib() - before < 16 * 1024  # one of them takes more than 10 MiB


def test_drawn_stages_are_freed_by_garbage_collection_in_any_thread(frees_everything):
    wanted = odori.shot(MODEL, None, 0, SIZE)
    kept = [odori.Stage() for _ in range(3)]
    for stage in kept:
        stage.open(MODEL)
        assert (stage.picture(SIZE) == wanted).all()

    def elsewhere():
        del kept[1:]
        gc.collect()
        results.append(kept[0].picture(SIZE))

    results = []
    del stage
    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert (results[0] == wanted).all()
    assert (kept[0].picture(SIZE) == wanted).all()
    kept.clear()


def test_failed_openings_are_freed(tmp_path, frees_everything):
    (tmp_path / "cut.pmx").write_bytes(MODEL.read_bytes()[:50000])
    for _ in range(3):
        with pytest.raises(odori.FormatError):
            odori.shot(tmp_path / "cut.pmx")


def test_a_stage_in_use_by_another_thread_says_so(stage):
    stage._scene.lock.acquire()
    try:
        for use in (stage.bones, stage.close, lambda: stage.frame):
            with pytest.raises(RuntimeError, match="another thread"):
                use()
    finally:
        stage._scene.lock.release()
    stage.bones()


def test_a_stage_without_memory_can_only_be_closed(stage, monkeypatch):
    def fail(*_):
        raise odori.OutOfMemoryError("out of memory")

    with monkeypatch.context() as patch:
        patch.setattr("odori.stage.call", fail)
        with pytest.raises(MemoryError):
            stage.frame = 3
    with pytest.raises(RuntimeError, match="only be closed"):
        stage.bones()


def test_open_stages_at_the_end_of_the_interpreter():
    program = "import odori, sys; s = odori.Stage(); s.open(sys.argv[1]); print(s.picture((8, 8)).shape)"
    done = subprocess.run([sys.executable, "-c", program, str(MODEL)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "(8, 8, 4)\n", "")
    elsewhere = dict(os.environ, ODORI_LIBRARY="/nowhere/libodori.so.0")
    command = [sys.executable, "-c", program, "x"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=elsewhere)
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: odori: the library cannot be loaded") and "/nowhere/libodori.so.0" in last
    assert "ODORI_LIBRARY" in last


def test_the_version():
    assert odori.version() == libraries().version and odori.version().startswith("0.")
