"""The OpenGL contexts of stages.

The library makes a context without a display for each scene that is drawn, on the thread that draws first, and leaves
it current. A Context makes it current only while the scene is used, and then restores what was current before. So any
number of stages can be open, a stage may be drawn and freed by any thread, and a program's own EGL context stays.
"""

from __future__ import annotations

import contextlib
from typing import Any, Iterator, Tuple

from ._library import ffi, libraries
from .errors import make_error

_DRAW, _READ = 0x3059, 0x305A  # EGL_DRAW, EGL_READ

Current = Tuple[Any, Any, Any, Any]  # display, surface to draw to, surface to read from, context


def _current() -> Current:
    egl = libraries().egl
    return (
        egl.eglGetCurrentDisplay(),
        egl.eglGetCurrentSurface(_DRAW),
        egl.eglGetCurrentSurface(_READ),
        egl.eglGetCurrentContext(),
    )


class Context:
    """The context of one scene, which has none until it is first drawn."""

    def __init__(self) -> None:
        self._own: Any = None

    @contextlib.contextmanager
    def current(self) -> Iterator[None]:
        """Makes the context current on this thread. One that the library makes meanwhile becomes this one."""
        egl = libraries().egl
        before = _current()
        if self._own and not egl.eglMakeCurrent(*self._own):
            raise make_error("MMD_ERROR_NO_CONTEXT", "the stage's OpenGL context cannot be made current")
        try:
            yield
        finally:
            after = _current()
            if not self._own and after[3] != before[3] and after[3] != ffi.NULL:
                self._own = after
            if before[3] != ffi.NULL:
                egl.eglMakeCurrent(*before)
            elif after[3] != ffi.NULL:
                egl.eglMakeCurrent(after[0], ffi.NULL, ffi.NULL, ffi.NULL)
