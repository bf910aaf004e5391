"""How much memory is left, asked before much of it is taken."""

from __future__ import annotations

import sys
from pathlib import Path

MEMINFO = Path("/proc/meminfo")
GROUP = Path("/sys/fs/cgroup")


def available_bytes() -> int:
    """What this process can still take without others being put out; very much where nothing says."""
    return min(_of_the_machine(), _of_the_group())


def _of_the_machine() -> int:
    try:
        lines = MEMINFO.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, StopIteration):
        return sys.maxsize


def _of_the_group() -> int:
    """What the control group of a container allows; memory that only caches files counts as free."""
    try:
        most = (GROUP / "memory.max").read_text(encoding="ascii").strip()
        used = int((GROUP / "memory.current").read_text(encoding="ascii"))
        facts = dict(line.split() for line in (GROUP / "memory.stat").read_text(encoding="ascii").splitlines())
        return sys.maxsize if most == "max" else int(most) - used + int(facts.get("inactive_file", "0"))
    except (OSError, ValueError):
        return sys.maxsize


def say_bytes(count: int) -> str:
    """`1.6 GB`."""
    return f"{count / 1e9:.1f} GB"
