"""odori: models and motions of MikuMikuDance as pictures and numbers, without a display.

    import odori
    picture = odori.shot("miku.pmx", motion="dance.vmd", frame=300)   # uint8 (720, 1280, 4)
    poses = odori.bones("miku.pmx", motion="dance.vmd", frames=range(600))   # float32 (600, bones, 4, 4)

`Stage` has more, `compare` tells how two pictures differ, and `odori.pytest_plugin` tests pictures in pytest. The
library libodori.so.0 is found by ODORI_LIBRARY (its path), below the prefix where this package is installed, in the
build beside the sources, or by the loader.
"""

import importlib
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from .errors import (
        ArgumentError,
        Error,
        FileError,
        FormatError,
        GraphicsError,
        NotFoundError,
        OutOfMemoryError,
        RefusedError,
    )
    from .pictures import Comparison, compare, heat_map, read_picture, write_picture
    from .stage import Look, Model, Stage, bones, shot

__all__ = [
    "shot",
    "bones",
    "Stage",
    "Model",
    "Look",
    "compare",
    "Comparison",
    "heat_map",
    "read_picture",
    "write_picture",
    "version",
    "Error",
    "FileError",
    "NotFoundError",
    "RefusedError",
    "FormatError",
    "ArgumentError",
    "OutOfMemoryError",
    "GraphicsError",
]

_MODULES = {
    "stage": ("shot", "bones", "Stage", "Model", "Look"),
    "pictures": ("compare", "Comparison", "heat_map", "read_picture", "write_picture"),
    "errors": tuple(name for name in __all__ if name.endswith("Error")),
}


def __getattr__(name: str) -> Any:
    """Imports a module of the package when something of it is first used. pytest imports the package with the plug-in
    in every project, which should not load numpy and cffi for that."""
    for module, names in _MODULES.items():
        if name in names:
            value = getattr(importlib.import_module("." + module, __name__), name)
            globals()[name] = value
            return value
    raise AttributeError("module 'odori' has no attribute {!r}".format(name))


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})


def version() -> str:
    """Returns the version of the library: "0.1.0"."""
    from ._library import libraries

    return libraries().version
