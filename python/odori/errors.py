"""Exceptions of the package: one class for each kind of failure that a caller may want to tell apart.

Mistakes of the caller (an index that does not exist, a frame that is NaN, a closed stage) are Python's own IndexError,
ValueError, TypeError and RuntimeError, raised before the library is called.
"""

from __future__ import annotations

import errno
from typing import Any, Optional


class Error(Exception):
    """A failure of the library: of a file, of memory or of the graphics driver. Its text is one whole sentence.

    Attributes: `code`, the name of the status ("MMD_ERROR_TRUNCATED"); `file`, the file's name or ""; `section`, the
    part of the file ("bone 17") or ""; `offset`, the byte in the file or None; `message`, the text without all that.
    """

    code: str = ""
    file: str = ""
    section: str = ""
    offset: Optional[int] = None
    message: str = ""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class FileError(Error, OSError):
    """A file cannot be read or written. Also an OSError."""


class NotFoundError(Error, FileNotFoundError):
    """There is no such file. Also a FileNotFoundError."""


class RefusedError(Error, PermissionError):
    """A file names another that it may not. Also a PermissionError."""


class FormatError(Error, ValueError):
    """A file is damaged, of another kind, or uses what is not supported. Also a ValueError."""


class ArgumentError(Error, ValueError):
    """A request does not fit what is there, such as a second backdrop. Also a ValueError."""


class OutOfMemoryError(Error, MemoryError):
    """The library ran out of memory. Also a MemoryError. A stage that raised it can only be closed."""


class GraphicsError(Error, RuntimeError):
    """There is no OpenGL 3.3, or the driver reported an error. Also a RuntimeError."""


CLASSES = {
    "MMD_ERROR_IO": FileError,
    "MMD_ERROR_NOT_FOUND": NotFoundError,
    "MMD_ERROR_REFUSED": RefusedError,
    "MMD_ERROR_ARGUMENT": ArgumentError,
    "MMD_ERROR_MEMORY": OutOfMemoryError,
    "MMD_ERROR_NO_CONTEXT": GraphicsError,
    "MMD_ERROR_GL": GraphicsError,
}

ERRNO = {"MMD_ERROR_NOT_FOUND": errno.ENOENT, "MMD_ERROR_REFUSED": errno.EACCES}


def make_error(code: str, sentence: str, **fields: Any) -> Error:
    """Makes the exception for a status; all statuses without a class of their own are about the contents of files."""
    error = CLASSES.get(code, FormatError)(sentence)
    error.code = code
    for name, value in fields.items():
        setattr(error, name, value)
    if isinstance(error, OSError):
        error.errno = ERRNO.get(code, errno.EIO)
        error.filename = error.file or None
        error.strerror = error.message
    return error
