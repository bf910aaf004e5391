"""The native core: the one place that imports the extension module, whose types are in `zermelo/_core.pyi`."""

import zermelo._core as _core

__all__ = ["_core"]
