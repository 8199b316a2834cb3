"""Finds and loads libodori.so, and turns its errors into exceptions. Loaded when something first needs it."""

from __future__ import annotations

import functools
import logging
import operator
import os
import sysconfig
from pathlib import Path
from typing import Any, Callable, Iterator, List, Tuple

import cffi  # type: ignore[import]

from .errors import Error, make_error

NAME = "libodori.so.0"

ffi = cffi.FFI()
_logger = logging.getLogger("odori")


def _places() -> Iterator[str]:
    """Yields where the library may be: ODORI_LIBRARY alone if it is set; else the prefix below which the package is
    installed (PREFIX/lib/python3/dist-packages/odori), the build beside the sources (python/odori), and the loader's
    path."""
    given = os.environ.get("ODORI_LIBRARY")
    if given:
        yield given
        return
    package = Path(__file__).resolve().parent
    if package.parent.name in ("dist-packages", "site-packages"):
        lib = package.parents[2]
        multiarch = sysconfig.get_config_var("MULTIARCH") or ""
        for folder in (lib, lib / multiarch, lib.parent / "lib64"):
            if (folder / NAME).exists():
                yield str(folder / NAME)
    else:
        built = package.parents[1] / "build" / NAME
        if built.exists():
            yield str(built)
    yield NAME


@functools.lru_cache(maxsize=None)
def _declare() -> None:
    ffi.cdef((Path(__file__).parent / "declarations.h").read_text(encoding="utf-8"))


class _Libraries:
    """The open libraries: `odori`, and `egl`, which libodori.so has loaded already."""

    def __init__(self) -> None:
        _declare()
        tried: List[str] = []
        for place in _places():
            try:
                self.odori = ffi.dlopen(place)
                self.egl = ffi.dlopen("libEGL.so.1")
                self.version: str = string(self.odori.mmd_version())
                break
            except (OSError, AttributeError) as why:
                tried.append(str(why))
        else:
            raise ImportError(
                "odori: the library cannot be loaded ({}). Install libodori0, or set ODORI_LIBRARY to the path "
                "of {}.".format("; ".join(tried), NAME)
            )
        self.on_log = ffi.callback("void(void *, mmd_log_level, char const *)", _log)
        self.log = ffi.new("mmd_log *", {"write": self.on_log, "level": self.odori.MMD_LOG_WARNING})


def _log(_user: Any, level: int, text: Any) -> None:
    _logger.log(logging.ERROR if level == 0 else logging.WARNING, "%s", string(text))


@functools.lru_cache(maxsize=None)
def libraries() -> _Libraries:
    """Returns the libraries, which the first call loads. Raises ImportError where there is no libodori.so."""
    return _Libraries()


def string(text: Any) -> str:
    """Converts a C string in UTF-8."""
    return str(ffi.string(text), "utf-8", "replace")


def path_bytes(path: Any) -> bytes:
    """Converts a path (str, bytes or os.PathLike) to what C takes."""
    data = os.fsencode(path)
    if b"\0" in data or not data:
        raise ValueError("not a path: {!r}".format(path))
    return data


def error_of(error: Any) -> Error:
    """Makes the exception for an mmd_error."""
    lib = libraries().odori
    text = ffi.new("char[1024]")
    return make_error(
        string(lib.mmd_status_name(error.code)),
        string(lib.mmd_error_sentence(error, text, len(text))),
        file=string(error.file),
        section=string(error.section),
        offset=None if error.offset == 2**64 - 1 else error.offset,
        message=string(error.message),
    )


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function that returns a status and takes an error last, and raises what it reports."""
    error = ffi.new("mmd_error *")
    if function(*arguments, error):
        raise error_of(error)


def size_of(size: Tuple[int, int]) -> Tuple[int, int]:
    """Checks the width and height of a picture."""
    try:
        width, height = (operator.index(number) for number in size)
    except (TypeError, ValueError):
        raise ValueError("size is (width, height) in whole pixels, not {!r}".format(size)) from None
    if not (1 <= width <= 16384 and 1 <= height <= 16384):
        raise ValueError("width and height are from 1 to 16384, not {} x {}".format(width, height))
    return width, height
