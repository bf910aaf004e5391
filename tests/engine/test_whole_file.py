"""Files that are written completely or not at all: links stay, and what is no file is left alone."""

import os
from pathlib import Path

import pytest

from zermelo.arena.calibrate import files
from zermelo.arena.selfplay.rows import write_shard
from zermelo.engine.whole_file import replace_file
from zermelo.errors import InputError

WRITERS = {
    "a save": lambda path: replace_file(path, [b"{}\n"]),
    "a ladder": lambda path: files.write(path, {}),
    "a shard": lambda path: write_shard(path, [], [{}], {}),
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_a_link_stays_and_what_it_leads_to_is_written(write, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    real, link = tmp_path / "elsewhere" / "real.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(real)
    for _ in range(2):  # the link leads to nothing at first
        write(link)
        assert link.is_symlink()
        assert real.read_text() == "{}\n"
    assert {path.name for path in tmp_path.rglob("*")} == {"elsewhere", "real.jsonl", "link.jsonl"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_a_pipe_is_not_replaced(write, tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe.jsonl", tmp_path / "link.jsonl"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        with pytest.raises((OSError, InputError), match="not an ordinary file"):
            write(path)
    assert pipe.is_fifo()
    assert {path.name for path in tmp_path.iterdir()} == {"pipe.jsonl", "link.jsonl"}
