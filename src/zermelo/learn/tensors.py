"""Safetensors: named arrays of numbers in one file, with notes.

    read_tensors(path) after write_tensors(path, tensors, notes) is (tensors, notes).

The format is a number of bytes, a JSON object of that length that says where each tensor lies, and the numbers. Only
what networks need is supported: 32-bit floats, in a file of reasonable size; anything else is refused with one clear
error.
"""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import InputError

Tensors = dict[str, NDArray[np.float32]]

MOST_FILE_BYTES = 64 << 20
_NOTES = "__metadata__"


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
        raise InputError(f"{file} is not a safetensors file of 32-bit floats: {error}") from None


def _take_apart(data: bytes) -> tuple[Tensors, dict[str, str]]:
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > len(data) - 8:
        raise ValueError("its header is cut off")
    header = json.loads(data[8 : 8 + length])
    notes = {str(name): str(text) for name, text in header.pop(_NOTES, {}).items()}
    numbers = data[8 + length :]
    return {str(name): _tensor(numbers, entry) for name, entry in header.items()}, notes


def _tensor(numbers: bytes, entry: dict[str, Any]) -> NDArray[np.float32]:
    shape, (begin, end) = [int(size) for size in entry["shape"]], entry["data_offsets"]
    if entry["dtype"] != "F32":
        raise ValueError(f"it holds numbers of kind {entry['dtype']}")
    if min(shape, default=1) < 0 or not 0 <= begin <= end <= len(numbers) or end - begin != 4 * math.prod(shape):
        raise ValueError("a tensor does not lie where the header says")
    return np.frombuffer(numbers[begin:end], "<f4").astype(np.float32).reshape(shape)


def write_tensors(path: str | os.PathLike[str], tensors: Tensors, notes: dict[str, str]) -> None:
    """Writes the file atomically: an existing file stays until the new one is complete."""
    header: dict[str, object] = {_NOTES: notes}
    end = 0
    for name, tensor in tensors.items():
        begin, end = end, end + 4 * tensor.size
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    new = Path(f"{path}.new")
    with new.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for tensor in tensors.values():
            file.write(np.ascontiguousarray(tensor, "<f4").tobytes())
    new.replace(path)
