"""Pictures as arrays: reading, writing and comparing them."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from typing import Any, Dict, Iterator, Mapping, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._library import call, ffi, libraries, path_bytes, string

Array = npt.NDArray[Any]
Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


@dataclasses.dataclass(frozen=True)
class Comparison:
    """What `compare` found. It is true in an `if` or `assert` when it passed.

    Attributes:
        passed: the pictures are equal, or within the limits if any were given.
        equal: sizes and all pixels are equal.
        why: one line: "equal", "within the limits: …", "different: 3.1 % of the pixels …".
        kind: how they differ: "moved", "edges", "color", "toon" or "unknown" (also of equal pictures).
        metrics: `max`, `mean` and `p99` in levels (0 to 255), `psnr` in dB, `ssim`, `flip` and `share` (0 to 1).
        box: x, y, width, height of all that differs, in pixels of A; zeros if nothing does.
        moved: pixels by which B is shifted, if the kind is "moved".
        exceeded: the limits that are exceeded, or "".
    """

    passed: bool
    equal: bool
    why: str
    kind: str
    metrics: Mapping[str, float]
    box: Tuple[int, int, int, int]
    moved: Tuple[int, int]
    exceeded: str

    def __bool__(self) -> bool:
        return self.passed


@contextlib.contextmanager
def c_image() -> Iterator[Any]:
    """Lends an empty mmd_image, which is finished at the end."""
    lib = libraries().odori
    image = ffi.new("mmd_image *")
    try:
        yield image
    finally:
        lib.mmd_image_finish(image)


def array_of(image: Any) -> Array:
    """Copies an mmd_image to an array (height, width, 4) that owns its memory."""
    height, width = image.height, image.width
    pixels = np.frombuffer(ffi.buffer(image.pixels, 4 * width * height), np.uint8)
    return pixels.reshape(height, width, 4).copy()


def _fill(image: Any, picture: Union[Array, Path]) -> None:
    """Fills an empty mmd_image with a file, or with a copy of an array."""
    lib = libraries().odori
    if not isinstance(picture, np.ndarray):
        call(lib.mmd_image_read, path_bytes(picture), image)
        return
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] not in (3, 4):
        raise ValueError(
            "a picture is an array of uint8 with shape (height, width, 3 or 4), not of {} with {}".format(
                picture.dtype, picture.shape
            )
        )
    height, width, channels = picture.shape
    if not (1 <= width <= 16384 and 1 <= height <= 16384):
        raise ValueError("width and height are from 1 to 16384, not {} x {}".format(width, height))
    call(lib.mmd_image_init, image, width, height)
    pixels = np.frombuffer(ffi.buffer(image.pixels, 4 * width * height), np.uint8).reshape(height, width, 4)
    pixels[:, :, :channels] = picture
    if channels == 3:
        pixels[:, :, 3] = 255
    image.has_alpha = bool((pixels[:, :, 3] != 255).any())


def read_picture(path: Path) -> Array:
    """Reads a picture: PNG, JPEG, TGA, BMP, DDS, GIF, PSD or PNM.

    Returns an array of uint8 (height, width, 4), RGBA, top row first, with straight alpha. Raises Error.
    """
    with c_image() as image:
        _fill(image, path)
        return array_of(image)


def write_picture(path: Path, picture: Array) -> None:
    """Writes an array of uint8 (height, width, 3 or 4) to a PNG file: RGB if all is opaque, else RGBA.

    Nobody sees an incomplete file. Equal pictures give equal bytes. Raises Error and ValueError.
    """
    if not isinstance(picture, np.ndarray):
        raise TypeError("the picture is an array, not {}".format(type(picture).__name__))
    with c_image() as image:
        _fill(image, picture)
        call(libraries().odori.mmd_image_write, path_bytes(path), image)


def _limits_of(limits: Mapping[str, float]) -> Any:
    """Makes mmd_limits of limits by the names of metrics."""
    lib = libraries().odori
    names = metric_names()
    c_limits = ffi.new("mmd_limits *", lib.mmd_default_limits())
    for name, limit in limits.items():
        if name not in names:
            raise TypeError("there is no metric {!r}; those are {}".format(name, ", ".join(names)))
        largest = lib.mmd_metric_largest(names.index(name))
        if not 0 <= limit <= largest:
            raise ValueError("the limit of {} is from 0 to {:g}, not {!r}".format(name, largest, limit))
        c_limits.value[names.index(name)] = limit
    return c_limits


def metric_names() -> Tuple[str, ...]:
    """Returns the names of all metrics, in the order of the library."""
    lib = libraries().odori
    return tuple(string(lib.mmd_metric_name(metric)) for metric in range(lib.MMD_METRIC_COUNT))


def compare(a: Union[Array, Path], b: Union[Array, Path], **limits: float) -> Comparison:
    """Compares two pictures and judges them, as `odori diff A B` does with the same limits.

    a is the reference. Each is an array of uint8 (height, width, 3 or 4) or the path of a picture. Without limits they
    have to be equal. Limits: `max`, `mean`, `p99` (at most so many levels), `psnr` (at least so many dB), `ssim` (at
    least), `flip`, `share` (at most). A value equal to its limit passes. Takes about half a second for each megapixel.
    Raises Error for files; ValueError and TypeError for limits and arrays. May be called from any thread.
    """
    lib = libraries().odori
    c_limits = _limits_of(limits)
    with c_image() as image_a, c_image() as image_b:
        _fill(image_a, a)
        _fill(image_b, b)
        verdict = ffi.new("mmd_verdict *")
        try:
            call(lib.mmd_compare_pictures, image_a, image_b, c_limits, verdict)
            metrics: Dict[str, float] = {
                name: lib.mmd_metric_value(i, ffi.addressof(verdict.result))
                for i, name in enumerate(metric_names())
            }
            box, moved = verdict.difference.box, verdict.difference.moved
            return Comparison(
                passed=verdict.passed,
                equal=verdict.equal,
                why=string(verdict.why),
                kind=string(lib.mmd_difference_kind_name(verdict.difference.kind)),
                metrics=metrics,
                box=(box[0], box[1], box[2], box[3]),
                moved=(moved[0], moved[1]),
                exceeded=string(verdict.exceeded),
            )
        finally:
            lib.mmd_verdict_finish(verdict)


def heat_map(a: Union[Array, Path], b: Union[Array, Path], levels: Optional[float] = None) -> Array:
    """Draws where two pictures differ: black where they are equal, over purple and orange to pale yellow.

    levels is the difference that gets the last colour (0 to 255, above 0; default 16, which shows small differences).
    Returns an array of uint8 (height, width, 4) with the size of the part that both have. Raises as `compare` does.
    """
    lib = libraries().odori
    last = 16.0 if levels is None else float(levels)
    if not 0 < last <= 255:
        raise ValueError("levels is above 0 and at most 255, not {!r}".format(levels))
    with c_image() as image_a, c_image() as image_b, c_image() as heat:
        _fill(image_a, a)
        _fill(image_b, b)
        comparison = ffi.gc(lib.mmd_compare_create(), lib.mmd_compare_destroy)
        if comparison == ffi.NULL:
            raise MemoryError("no memory for a comparison")
        options = ffi.new("mmd_compare_options *", lib.mmd_default_compare_options())
        options.ssim = options.flip = False
        result = ffi.new("mmd_compare_result *")
        call(lib.mmd_compare_run, comparison, image_a, image_b, options, result)
        plane = lib.mmd_compare_difference(comparison)
        call(lib.mmd_heat_from_levels, plane, result.width, result.height, 1 / last, heat)
        return array_of(heat)
