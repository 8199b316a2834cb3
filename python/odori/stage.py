"""Stages: models, motions and a camera that are posed, drawn and asked for numbers."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import operator
import os
import threading
import weakref
from typing import Any, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._context import context_restored
from ._library import call, ffi, libraries, path_bytes, size_of, string
from .errors import OutOfMemoryError
from .pictures import Array, Path, array_of, c_image

FRAME_MAX = 10_000_000  # 92 hours
_ALL = 2**64 - 1 if ffi.sizeof("size_t") == 8 else 2**32 - 1  # MMD_ALL_DANCERS
_CHUNK = 300  # frames of simulation between two chances for Ctrl+C

Background = Union[str, Sequence[int]]
Size = Tuple[int, int]
Vector = Sequence[float]


def _floats(name: str, values: Any, count: int) -> List[float]:
    """Checks that there are so many numbers, which are finite as C's floats."""
    try:
        numbers = [float(value) for value in values]
    except (TypeError, ValueError):
        raise ValueError("{} is {} numbers, not {!r}".format(name, count, values)) from None
    if len(numbers) != count or not all(abs(number) <= 1e30 for number in numbers):
        raise ValueError("{} is {} finite numbers, not {!r}".format(name, count, values))
    return numbers


def _float(name: str, value: Any, low: float, high: float) -> float:
    number = float(value)
    if not low <= number <= high:
        raise ValueError("{} is from {:g} to {:g}, not {!r}".format(name, low, high, value))
    return number


@dataclasses.dataclass(frozen=True)
class Look:
    """A camera, which looks at a target from a distance.

    Attributes:
        target: point in units of 8 cm; y is up, z leads away from the default camera.
        angle: degrees; x below 0 looks down from above, y below 0 from a dancer's right hand, z turns the picture.
        distance: units; above 0: in front of the target.
        fov: vertical field of view in degrees.
        orthographic: without perspective.
    """

    target: Tuple[float, float, float] = (0.0, 10.0, 0.0)
    angle: Tuple[float, float, float] = (0.0, 0.0, 0.0)
    distance: float = 45.0
    fov: float = 30.0
    orthographic: bool = False

    def _c(self) -> Any:
        """Returns the checked mmd_look."""
        return ffi.new(
            "mmd_look *",
            {
                "target": _floats("target", self.target, 3),
                "angle": _floats("angle", self.angle, 3),
                "distance": _float("distance", self.distance, -1e6, 1e6),
                "fov": _float("fov", self.fov, 0.01, 179.0),
                "orthographic": bool(self.orthographic),
            },
        )


def _look_of(look: Any) -> Look:
    target, angle = look.target, look.angle
    return Look(
        (target[0], target[1], target[2]), (angle[0], angle[1], angle[2]), look.distance, look.fov, look.orthographic
    )


@dataclasses.dataclass(frozen=True)
class Model:
    """A model or accessory of a stage: its index, its name, the path it was opened by, and the names of its bones,
    morphs and materials in the order of their indices."""

    index: int
    name: str
    path: str
    bones: Tuple[str, ...] = dataclasses.field(repr=False)
    morphs: Tuple[str, ...] = dataclasses.field(repr=False)
    materials: Tuple[str, ...] = dataclasses.field(repr=False)


@dataclasses.dataclass
class _Scene:
    """The mmd_scene of a stage. It is apart from the stage because a finalizer must not refer to that."""

    pointer: Any
    lock: threading.Lock


def _accepted(accepted: bool) -> None:
    """Raises what the library refuses without an error; all that is known to be wrong was refused before."""
    if not accepted:
        raise ValueError("the library refuses these numbers")


def _destroy(scene: _Scene) -> None:
    with context_restored():
        libraries().odori.mmd_scene_destroy(scene.pointer)


def _color(background: Background) -> Tuple[float, float, float, float]:
    """Converts a background: "transparent", "rrggbb", "#rrggbb", or red, green and blue from 0 to 255."""
    try:
        if isinstance(background, str):
            if background == "transparent":
                return (0.0, 0.0, 0.0, 0.0)
            digits = background[1:] if background.startswith("#") else background
            levels = list(bytes.fromhex(digits)) if len(digits) == 6 else []
        else:
            levels = [int(level) for level in background]
    except (TypeError, ValueError):
        levels = []
    if len(levels) != 3 or not all(0 <= level <= 255 for level in levels):
        raise ValueError(
            'background is "transparent", "rrggbb", or three levels from 0 to 255, not {!r}'.format(background)
        )
    return (levels[0] / 255, levels[1] / 255, levels[2] / 255, 1.0)


class Stage:
    """Models, motions and a camera; a context manager.

        with odori.Stage() as stage:
            stage.open_model("miku.pmx")
            stage.open_motion("dance.vmd")
            stage.frame = 300
            picture = stage.picture((1280, 720))

    Lengths are MMD's units of 8 cm, y is up, z leads away from the default camera. A frame is 1/30 s. A model is given
    by its index or its Model, a bone or morph by its index or its name. Several stages may be open at once. A stage may
    be used by any thread, but only by one at a time: a second one gets a RuntimeError. It is freed by `close`, at the
    end of `with`, or when it is no longer referenced; using it then raises RuntimeError. Wrong indices raise
    IndexError, unknown names and impossible values ValueError; failures of files and drivers raise Error. Warnings,
    such as textures that are missing, go to the logger "odori".
    """

    def __init__(self) -> None:
        lib = libraries().odori
        pointer = ffi.new("mmd_scene **")
        call(lib.mmd_scene_create, libraries().log, pointer)
        self._scene = _Scene(pointer[0], threading.Lock())
        self._finalizer = weakref.finalize(self, _destroy, self._scene)
        self._models: List[Model] = []
        self._broken = False
        self._stale = False
        self._physics = True

    def __enter__(self) -> "Stage":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def close(self) -> None:
        """Frees everything. Closing a second time does nothing."""
        if not self._scene.lock.acquire(blocking=False):
            raise RuntimeError("the stage is in use by another thread")
        try:
            self._finalizer()
        finally:
            self._scene.lock.release()

    @contextlib.contextmanager
    def _use(self) -> Iterator[Tuple[Any, Any]]:
        """Lends the library and the scene, which nobody else can use meanwhile."""
        if not self._scene.lock.acquire(blocking=False):
            raise RuntimeError("the stage is in use by another thread")
        try:
            if not self._finalizer.alive:
                raise RuntimeError("the stage is closed")
            if self._broken:
                raise RuntimeError("the stage ran out of memory and can only be closed")
            yield libraries().odori, self._scene.pointer
        except OutOfMemoryError:
            self._broken = True
            raise
        finally:
            self._scene.lock.release()

    def _index(self, model: Union[int, Model]) -> int:
        """Checks a model. Called while the stage is used."""
        index = model.index if isinstance(model, Model) else operator.index(model)
        if not 0 <= index < libraries().odori.mmd_scene_model_count(self._scene.pointer):
            raise IndexError("there is no model {}".format(index))
        return index

    def _part(self, kind: str, part: Union[int, str], model: int) -> int:
        """Checks a bone or morph, and finds one by its name."""
        lib, scene = libraries().odori, self._scene.pointer
        if isinstance(part, str):
            if "\0" in part:
                raise ValueError("there is no {} {!r}".format(kind, part))
            index = getattr(lib, "mmd_scene_find_" + kind)(scene, model, part.encode("utf-8", "replace"))
            if index < 0:
                raise ValueError("model {} has no {} {!r}".format(model, kind, part))
            return int(index)
        number = operator.index(part)
        if not 0 <= number < int(getattr(lib, "mmd_scene_{}_count".format(kind))(scene, model)):
            raise IndexError("model {} has no {} {}".format(model, kind, number))
        return number

    def _settle(self) -> None:
        """Makes changes by hand take effect at the current frame."""
        if self._stale:
            lib, scene = libraries().odori, self._scene.pointer
            call(lib.mmd_scene_set_frame, scene, lib.mmd_scene_frame(scene))
            self._stale = False

    # --- Opening ---

    def open(self, path: Path) -> None:
        """Opens a file of any kind: a model, an accessory, a motion or pose for all dancers, or a project.

        Models are PMX, PMD, glTF and Ragdoll, accessories .x and .vac, motions VMD, poses VPD, projects PMM. A path may
        lead into an archive ("miku.zip/miku.pmx"); an archive or a folder means the most likely file in it.
        """
        with self._use() as (lib, scene):
            call(lib.mmd_scene_open, scene, path_bytes(path))
            self._stale = True

    def open_model(self, path: Path, *, backdrop: bool = False) -> Model:
        """Opens a model or an accessory with its textures, and returns it. Motions of all dancers move it, too.

        A backdrop is drawn first, has no ground shadow, and is not moved by these motions; there can be one.
        """
        with self._use() as (lib, scene):
            index = ffi.new("size_t *")
            opens = lib.mmd_scene_open_backdrop if backdrop else lib.mmd_scene_open_model
            call(opens, scene, path_bytes(path), index)
            self._stale = True
            return self._all_models()[int(index[0])]

    def open_motion(self, path: Path, model: Union[int, Model, None] = None) -> None:
        """Opens a motion (VMD) or pose (VPD) for a model, or for all dancers (None), with its camera and light.

        It overrides earlier ones in the bones and morphs for which it has keyframes.
        """
        with self._use() as (lib, scene):
            index = _ALL if model is None else self._index(model)
            call(lib.mmd_scene_open_motion, scene, path_bytes(path), index)
            self._stale = True

    def open_camera(self, path: Path) -> None:
        """Opens a motion (VMD) for its camera and light alone."""
        with self._use() as (lib, scene):
            call(lib.mmd_scene_open_camera, scene, path_bytes(path))
            self._stale = True

    # --- What is there ---

    def _all_models(self) -> List[Model]:
        lib, scene = libraries().odori, self._scene.pointer

        def names(kind: str, model: int) -> Tuple[str, ...]:
            name = getattr(lib, "mmd_scene_{}_name".format(kind))
            count = getattr(lib, "mmd_scene_{}_count".format(kind))(scene, model)
            return tuple(string(name(scene, model, part)) for part in range(count))

        for i in range(len(self._models), lib.mmd_scene_model_count(scene)):
            parts = [names(kind, i) for kind in ("bone", "morph", "material")]
            self._models.append(
                Model(i, string(lib.mmd_scene_name(scene, i)), string(lib.mmd_scene_path(scene, i)), *parts)
            )
        return self._models

    @property
    def models(self) -> Tuple[Model, ...]:
        """All models and accessories, in the order of opening."""
        with self._use():
            return tuple(self._all_models())

    def missing_textures(self, model: Union[int, Model] = 0) -> Tuple[str, ...]:
        """Returns the textures of a model that could not be drawn, as named in it. Known once it was drawn."""
        with self._use() as (lib, scene):
            names = ffi.new("char const *const **")
            count = lib.mmd_scene_missing_textures(scene, self._index(model), names)
            return tuple(string(names[0][i]) for i in range(count))

    # --- Time ---

    @property
    def frame(self) -> float:
        """The current frame, 0 to 10,000,000, which may be fractional.

        Frames may be set in any order: the result is the same, bit for bit, as when all frames before it were set.
        Going forward costs the steps of physics in between.
        """
        with self._use() as (lib, scene):
            return float(lib.mmd_scene_frame(scene))

    @frame.setter
    def frame(self, frame: float) -> None:
        with self._use():
            self._go(_float("frame", frame, 0, FRAME_MAX))

    def _go(self, frame: float) -> None:
        """Goes to a frame by steps after which Ctrl+C is noticed; frames between change nothing of the result."""
        lib, scene = libraries().odori, self._scene.pointer
        self._settle()
        at = lib.mmd_scene_frame(scene)
        while self._physics and frame - at > _CHUNK:
            at += _CHUNK
            call(lib.mmd_scene_set_frame, scene, at)
        call(lib.mmd_scene_set_frame, scene, frame)

    @property
    def last_frame(self) -> float:
        """The last frame with a keyframe."""
        with self._use() as (lib, scene):
            return float(lib.mmd_scene_last_frame(scene))

    def set_physics(self, on: bool = True, **options: Any) -> None:
        """Switches physics on with these options, or off. At first it is on, with what files say of it.

        Options: `gravity` (three numbers, units/s²; default 0, -98, 0), `rate` (steps per second, 20 to 2000; 60),
        `iterations` (1 to 1000; 10), `ground` (a floor at height 0; True), `shared_world` (models collide with each
        other; True).
        """
        with self._use() as (lib, scene):
            c_options = ffi.NULL
            if on:
                c_options = _physics_options(options)
            elif options:
                raise ValueError("physics that is off has no options")
            self._physics = bool(on)
            call(lib.mmd_scene_set_physics, scene, c_options)

    # --- Poses ---

    def set_bone(
        self,
        bone: Union[int, str],
        translation: Optional[Vector] = None,
        rotation: Optional[Vector] = None,
        model: Union[int, Model] = 0,
    ) -> None:
        """Moves a bone by hand, on top of its motion and under IK.

        translation: x, y, z in units, along the parent's axes. rotation: a quaternion x, y, z, w, which is normalised,
        in the bone's own space, whose axes are those of the model at rest: (sin(a / 2), 0, 0, cos(a / 2)) turns y
        towards z by a. None is no movement; both None leave the motion alone.
        """
        with self._use() as (lib, scene):
            index = self._index(model)
            part = self._part("bone", bone, index)
            moved = ffi.NULL if translation is None else ffi.new("float[3]", _floats("translation", translation, 3))
            turned = ffi.NULL
            if rotation is not None:
                numbers = _floats("rotation", rotation, 4)
                length = math.hypot(*numbers)
                if not 1e-6 <= length <= 1e6:
                    raise ValueError("rotation is a quaternion, not {!r}".format(rotation))
                turned = ffi.new("float[4]", [number / length for number in numbers])
            _accepted(lib.mmd_scene_set_bone(scene, index, part, moved, turned))
            self._stale = True

    def set_morph(self, morph: Union[int, str], weight: Optional[float], model: Union[int, Model] = 0) -> None:
        """Sets the weight of a morph, usually 0 to 1, in place of the motion's; None gives it back to the motion."""
        with self._use() as (lib, scene):
            index = self._index(model)
            part = self._part("morph", morph, index)
            number = math.nan if weight is None else _float("weight", weight, -1e6, 1e6)
            _accepted(lib.mmd_scene_set_morph(scene, index, part, number))
            self._stale = True

    def morph_weight(self, morph: Union[int, str], model: Union[int, Model] = 0) -> float:
        """Returns the weight of a morph at the current frame."""
        with self._use() as (lib, scene):
            index = self._index(model)
            part = self._part("morph", morph, index)
            self._settle()
            return float(lib.mmd_scene_morph_weight(scene, index, part))

    def bones(self, model: Union[int, Model] = 0) -> Array:
        """Returns the matrices of all bones at the current frame: float32 (bones, 4, 4).

        `bones()[b] @ (x, y, z, 1)` leads from the bone's own space, whose origin is its joint, to the world.
        """
        with self._use():
            index = self._index(model)
            self._settle()
            return self._matrices(index)

    def _matrices(self, index: int) -> Array:
        lib, scene = libraries().odori, self._scene.pointer
        columns = np.empty((lib.mmd_scene_bone_count(scene, index), 4, 4), np.float32)
        if columns.size:
            lib.mmd_scene_bone_matrices(scene, index, ffi.cast("float (*)[16]", columns.ctypes.data))
        return np.ascontiguousarray(columns.transpose(0, 2, 1))

    def place(
        self,
        model: Union[int, Model],
        position: Vector = (0, 0, 0),
        rotation: Vector = (0, 0, 0),
        scale: float = 1.0,
    ) -> None:
        """Places a model: position in units, rotation about x, y and z in degrees, scale above 0.

        Positive angles turn y towards z, z towards x, and x towards y.
        """
        with self._use() as (lib, scene):
            c_position = ffi.new("float[3]", _floats("position", position, 3))
            c_rotation = ffi.new("float[3]", _floats("rotation", rotation, 3))
            c_scale = _float("scale", scale, 1e-6, 1e6)
            _accepted(lib.mmd_scene_place(scene, self._index(model), c_position, c_rotation, c_scale))
            self._stale = True

    def show(self, model: Union[int, Model], shown: bool = True) -> None:
        """Shows or hides a model."""
        with self._use() as (lib, scene):
            _accepted(lib.mmd_scene_show(scene, self._index(model), bool(shown)))
            self._stale = True

    # --- Camera and light ---

    @property
    def look(self) -> Look:
        """The camera at the current frame: the Look that was set, else the motions', else MMD's default.

        Set it to None to give it back to the motions.
        """
        with self._use() as (lib, scene):
            self._settle()
            return _look_of(lib.mmd_scene_look(scene))

    @look.setter
    def look(self, look: Optional[Look]) -> None:
        with self._use() as (lib, scene):
            _accepted(lib.mmd_scene_look_from(scene, ffi.NULL if look is None else look._c()))
            self._stale = True

    def fit(self, size: Size = (1280, 720), look: Optional[Look] = None) -> Optional[Look]:
        """Returns a camera with the angle and field of view of a look (None: the current one) that shows all visible
        models in a picture of this size, or None if there is nothing to see."""
        with self._use() as (lib, scene):
            width, height = size_of(size)
            self._settle()
            c_look = look._c() if look else ffi.new("mmd_look *", lib.mmd_scene_look(scene))
            return _look_of(c_look) if lib.mmd_scene_fit(scene, width / height, c_look) else None

    def set_light(self, color: Optional[Vector] = None, direction: Optional[Vector] = None) -> None:
        """Sets the light's colour (red, green, blue, 0 to 1) and the direction of its rays in place of the motions';
        None gives one back."""
        with self._use() as (lib, scene):
            c_color = ffi.NULL if color is None else ffi.new("float[3]", _floats("color", color, 3))
            c_direction = ffi.NULL
            if direction is not None:
                numbers = _floats("direction", direction, 3)
                if not any(numbers):
                    raise ValueError("direction is not (0, 0, 0)")
                c_direction = ffi.new("float[3]", numbers)
            _accepted(lib.mmd_scene_set_light(scene, c_color, c_direction))
            self._stale = True

    # --- Drawing ---

    def picture(
        self,
        size: Size = (1280, 720),
        *,
        background: Optional[Background] = None,
        edge: Optional[bool] = None,
        grid: Optional[bool] = None,
        ground_shadow: Optional[bool] = None,
        self_shadow: Optional[bool] = None,
        msaa: Optional[int] = None,
        shading: Optional[str] = None,
    ) -> Array:
        """Draws the current frame: an array of uint8 (height, width, 4), RGBA, top row first, as `odori shot` does.

        size is (width, height) in pixels, each from 1 to 16384. background: "transparent", "rrggbb" or three levels
        from 0 to 255. msaa: samples per pixel, 0 to 64. shading: "mmd" or "smooth". None is MMD's look, with what a
        project says. Needs OpenGL 3.3, but no display.
        """
        with self._use() as (lib, scene), context_restored():
            given = (background, edge, grid, ground_shadow, self_shadow, msaa, shading)
            options = _view_options(lib.mmd_scene_view_options(scene), *given)
            width, height = size_of(size)
            self._settle()
            with c_image() as image:
                call(lib.mmd_scene_picture, scene, options, width, height, image)
                return array_of(image)

    def ids(self, size: Size = (1280, 720)) -> Array:
        """Finds what each pixel of a picture of this size shows: an array of int32 (height, width, 3) with the indices
        of model, material and bone; -1 where there is nothing."""
        with self._use() as (lib, scene), context_restored():
            width, height = size_of(size)
            self._settle()
            ids = np.empty((height, width, 3), np.uint32)
            call(lib.mmd_scene_ids, scene, ffi.NULL, width, height, ffi.cast("uint32_t (*)[3]", ids.ctypes.data))
            return ids.view(np.int32)

    def write_ids(self, path: Path, size: Size = (1280, 720)) -> None:
        """Writes what each pixel of a picture of this size shows, with names, to a PNG file.

        `odori diff` finds it beside the picture ("a.ids.png" beside "a.png"), and names the materials that differ.
        """
        with self._use() as (lib, scene), context_restored():
            width, height = size_of(size)
            self._settle()
            options = ffi.new("mmd_view_options *", lib.mmd_scene_view_options(scene))
            call(lib.mmd_scene_upload, scene)
            view, stage = lib.mmd_scene_view(scene), lib.mmd_scene_stage(scene)
            ids = ffi.new("mmd_ids *")
            try:
                call(lib.mmd_view_named_ids, view, stage, options, width, height, ids)
                call(lib.mmd_ids_write, path_bytes(path), ids)
            finally:
                lib.mmd_ids_finish(ids)

    def frames(
        self, start: float, stop: float, step: float = 1, *, size: Size = (1280, 720), **options: Any
    ) -> Iterator[Array]:
        """Draws the frames of a range, which excludes stop, one after the other: `for picture in stage.frames(0, 600)`.

        step may be fractional; it is not 0. Physics goes on from one frame to the next. options are those of `picture`.
        `frame` is that of the picture.
        """
        first, last, by = (_float("a frame", number, -FRAME_MAX, FRAME_MAX) for number in (start, stop, step))
        if by == 0:
            raise ValueError("step is not 0")
        count = max(0, math.ceil((last - first) / by))
        if count:
            for frame in (first, first + (count - 1) * by):
                _float("a frame", frame, 0, FRAME_MAX)
        return self._draw_frames(first, by, count, size, options)

    def _draw_frames(
        self, first: float, by: float, count: int, size: Size, options: Mapping[str, Any]
    ) -> Iterator[Array]:
        for i in range(count):
            self.frame = first + i * by
            yield self.picture(size, **options)


def _physics_options(given: Mapping[str, Any]) -> Any:
    """Makes checked mmd_physics_options of the options of set_physics."""
    options = ffi.new("mmd_physics_options *", libraries().odori.mmd_default_physics_options())
    for name, value in given.items():
        if name == "gravity":
            options.gravity = _floats(name, value, 3)
        elif name in ("rate", "iterations"):
            low, high = (20, 2000) if name == "rate" else (1, 1000)
            setattr(options, name, int(_float(name, operator.index(value), low, high)))
        elif name in ("ground", "shared_world"):
            setattr(options, name, bool(value))
        else:
            raise TypeError("physics has no option {!r}".format(name))
    return options


def _view_options(
    usual: Any,
    background: Optional[Background],
    edge: Optional[bool],
    grid: Optional[bool],
    ground_shadow: Optional[bool],
    self_shadow: Optional[bool],
    msaa: Optional[int],
    shading: Optional[str],
) -> Any:
    """Makes checked mmd_view_options of those of a scene and of the options of Stage.picture."""
    options = ffi.new("mmd_view_options *", usual)
    if background is not None:
        options.background = _color(background)
    switches = {"edge": edge, "grid": grid, "ground_shadow": ground_shadow, "self_shadow": self_shadow}
    for name, value in switches.items():
        if value is not None:
            setattr(options, name, bool(value))
    if msaa is not None:
        options.samples = int(_float("msaa", operator.index(msaa), 0, 64))
    if shading is not None:
        if shading not in ("mmd", "smooth"):
            raise ValueError('shading is "mmd" or "smooth", not {!r}'.format(shading))
        options.shading = ("mmd", "smooth").index(shading)
    return options


def _listed(paths: Union[Path, Iterable[Path], None]) -> List[Path]:
    if paths is None:
        return []
    return [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)


def stage_of(
    model: Union[Path, Iterable[Path]],
    motion: Union[Path, Iterable[Path], None] = None,
    frame: Optional[float] = None,
    *,
    camera: Union[Path, Look, None] = None,
    physics: Union[bool, Mapping[str, Any]] = True,
) -> Stage:
    """Opens a stage with what `shot` takes, at a frame."""
    stage = Stage()
    try:
        for path in _listed(model):
            stage.open(path)
        for path in _listed(motion):
            stage.open_motion(path)
        if physics is False:
            stage.set_physics(False)
        elif physics is not True:
            stage.set_physics(True, **physics)
        if isinstance(camera, Look):
            stage.look = camera
        elif camera is not None:
            stage.open_camera(camera)
        if frame is not None:
            stage.frame = frame
    except BaseException:
        stage.close()
        raise
    return stage


def shot(
    model: Union[Path, Iterable[Path]],
    motion: Union[Path, Iterable[Path], None] = None,
    frame: Optional[float] = None,
    size: Size = (1280, 720),
    *,
    camera: Union[Path, Look, None] = None,
    physics: Union[bool, Mapping[str, Any]] = True,
    **options: Any,
) -> Array:
    """Draws one frame: an array of uint8 (height, width, 4), RGBA, with the pixels of `odori shot`.

    model, motion: a path or several, of all kinds that Stage.open and Stage.open_motion take. frame: None is 0, or
    the frame of a project. camera: a motion for camera and light, or a Look. physics: True, False or the options of
    Stage.set_physics. options are those of Stage.picture. Physics is simulated from frame 0, so the picture is the same
    as when playing up to the frame. Raises Error, ValueError and TypeError.
    """
    with stage_of(model, motion, frame, camera=camera, physics=physics) as stage:
        return stage.picture(size, **options)


def bones(
    model: Union[Path, Iterable[Path]],
    motion: Union[Path, Iterable[Path], None] = None,
    frames: Iterable[float] = (0,),
    *,
    physics: Union[bool, Mapping[str, Any]] = False,
    index: int = 0,
) -> Array:
    """Computes the bones of a model at some frames: an array of float32 (frames, bones, 4, 4).

    `bones[f, b] @ (x, y, z, 1)` leads from the space of bone b, whose origin is its joint, to the world at frame
    `frames[f]`. The numbers are those of `odori dump`; like it, physics is off unless asked for. model and motion are
    as for `shot`; index says which of several models. Needs no OpenGL. Raises Error, IndexError and ValueError.
    """
    wanted = [_float("a frame", frame, 0, FRAME_MAX) for frame in frames]
    with stage_of(model, motion, physics=physics) as stage:
        with stage._use() as (lib, scene):
            part = stage._index(index)
            count = lib.mmd_scene_bone_count(scene, part)
        result = np.empty((len(wanted), count, 4, 4), np.float32)
        for i, frame in enumerate(wanted):
            stage.frame = frame
            result[i] = stage.bones(part)
        return result
