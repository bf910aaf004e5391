"""Safetensors: named arrays of numbers in one file, with notes.

    read_tensors(path) after write_tensors(path, tensors, notes) is (tensors, notes).

The format is a number of bytes, a JSON object of that length that says where each tensor lies, and the numbers. Only
what networks need is supported: 32-bit floats and integers of 16 and 32 bits, in a file of reasonable size; anything
else is refused with one clear error.
"""

from __future__ import annotations

import json
import math
import os
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.whole_file import replace_file
from zermelo.errors import InputError

Tensors = dict[str, NDArray[Any]]

MOST_FILE_BYTES = 64 << 20
_NOTES = "__metadata__"
_TYPES = {"F16": "<f2", "F32": "<f4", "I16": "<i2", "I32": "<i4"}
_NAMES = {np.dtype(code): name for name, code in _TYPES.items()}


def read_tensors(path: str | os.PathLike[str]) -> tuple[Tensors, dict[str, str]]:
    """The tensors of a file by name, and the notes that were kept with them."""
    file = Path(path)
    try:
        if file.stat().st_size > MOST_FILE_BYTES:
            raise InputError(f"{file} is larger than any file of weights: give one that `zermelo train` has written")
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}; give the path of a safetensors file") from None
    try:
        return _take_apart(data)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"{file} is not a safetensors file of a network: {error}") from None


def _take_apart(data: bytes) -> tuple[Tensors, dict[str, str]]:
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > len(data) - 8:
        raise ValueError("its header is cut off")
    header = json.loads(data[8 : 8 + length])
    notes = {str(name): str(text) for name, text in header.pop(_NOTES, {}).items()}
    numbers = data[8 + length :]
    return {str(name): _tensor(numbers, entry) for name, entry in header.items()}, notes


def _tensor(numbers: bytes, entry: dict[str, Any]) -> NDArray[Any]:
    shape, (begin, end) = [int(size) for size in entry["shape"]], entry["data_offsets"]
    if entry["dtype"] not in _TYPES:
        raise ValueError(f"it holds numbers of kind {entry['dtype']}")
    code = np.dtype(_TYPES[entry["dtype"]])
    size = code.itemsize * math.prod(shape)
    if min(shape, default=1) < 0 or not 0 <= begin <= end <= len(numbers) or end - begin != size:
        raise ValueError("a tensor does not lie where the header says")
    return np.frombuffer(numbers[begin:end], code).astype(code.newbyteorder("=")).reshape(shape)


def write_tensors(path: str | os.PathLike[str], tensors: Tensors, notes: dict[str, str]) -> None:
    """Writes the file atomically: an existing file stays until the new one is complete."""
    header: dict[str, object] = {_NOTES: notes}
    end = 0
    little = {name: np.ascontiguousarray(tensor, tensor.dtype.newbyteorder("<")) for name, tensor in tensors.items()}
    for name, tensor in little.items():
        begin, end = end, end + tensor.nbytes
        header[name] = {"dtype": _NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    numbers = (tensor.tobytes() for tensor in little.values())
    replace_file(path, chain([len(text).to_bytes(8, "little") + text], numbers))
