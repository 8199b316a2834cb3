"""OpenGL contexts around the use of a scene.

The library makes a context without a display for each scene that is drawn, and makes it current whenever the scene is
drawn or destroyed. What it leaves current is released here, and what was current before is current again. So a stage
may be drawn and freed by any thread, and a program's own EGL context stays.
"""

from __future__ import annotations

import contextlib
from typing import Any, Iterator, Tuple

from ._library import ffi, libraries

_DRAW, _READ = 0x3059, 0x305A  # EGL_DRAW, EGL_READ


def _current() -> Tuple[Any, Any, Any, Any]:
    """Returns what eglMakeCurrent takes: display, surface to draw to, surface to read from, context."""
    egl = libraries().egl
    return (
        egl.eglGetCurrentDisplay(),
        egl.eglGetCurrentSurface(_DRAW),
        egl.eglGetCurrentSurface(_READ),
        egl.eglGetCurrentContext(),
    )


@contextlib.contextmanager
def context_restored() -> Iterator[None]:
    """Makes the context current at the end that was current at the beginning, or none."""
    egl = libraries().egl
    before = _current()
    try:
        yield
    finally:
        display, _, _, after = _current()
        if before[3] != after:
            if before[3] != ffi.NULL:
                egl.eglMakeCurrent(*before)
            else:
                egl.eglMakeCurrent(display, ffi.NULL, ffi.NULL, ffi.NULL)
