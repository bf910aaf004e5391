"""A program under supervision is read in lines, written to in lines, and ended for sure."""

from __future__ import annotations

import gc
import sys
import time

import pytest

from zermelo.arena.supervisor import FLOOD_LINES, LONGEST_LINE_BYTES, Program
from zermelo.errors import PlayerError


def python(code):
    return Program([sys.executable, "-c", code], "snake")


def later():
    return time.monotonic() + 60


def test_lines_go_in_and_come_out():
    program = python("for line in iter(input, ''): print(line[::-1], flush=True)")
    for text in ("abc", "ünïcode ☃", "x" * 10_000):
        program.send(text, later())
        assert program.read_line(later()) == text[::-1]
    program.close()


def test_a_program_may_answer_before_it_has_read_everything():
    program = python("import sys\nfor line in sys.stdin:\n    print(line * 2, end='', flush=True)")
    program.send("\n".join(["x" * 1000] * 1000), later())
    assert [len(program.read_line(later())) for _ in range(2000)] == [1000] * 2000
    program.close()


def test_of_an_endless_line_nothing_is_kept():
    program = python(f"print('x' * {5 * LONGEST_LINE_BYTES}); print('end')")
    lines = [program.read_line(later())]
    while lines[-1] != "end":
        lines.append(program.read_line(later()))
    assert sum(map(len, lines)) < 3 * LONGEST_LINE_BYTES
    program.close()


def test_what_was_said_before_the_end_is_still_heard():
    program = python("print('last'); raise SystemExit(4)")
    assert program.read_line(later()) == "last"
    with pytest.raises(PlayerError, match="snake ended with code 4") as caught:
        program.read_line(later())
    assert caught.value.kind == "crash"


def test_what_is_sent_to_a_dead_program_is_answered_with_its_death():
    program = python("import sys; print('ouch', file=sys.stderr); raise SystemExit(4)")
    while program.is_running:
        time.sleep(0.01)
    with pytest.raises(PlayerError, match="ended with code 4; its last words: ouch"):
        program.send("hello", later())


def test_a_flood_is_garbage_and_a_silence_a_hang():
    program = python("while True: print('x' * 50)")
    with pytest.raises(PlayerError) as caught:
        [program.read_line(later()) for _ in range(10 * FLOOD_LINES)]
    assert caught.value.kind == "garbage"
    program.close()
    program = python("input()")
    with pytest.raises(PlayerError) as caught:
        program.read_line(time.monotonic() + 0.05)
    assert caught.value.kind == "hang"
    program.close()


def test_a_closed_program_says_so_and_may_be_closed_again():
    program = python("input()")
    program.close("bye")
    program.close("bye")
    assert not program.is_running
    for call in (lambda: program.send("x", later()), lambda: program.read_line(later())):
        with pytest.raises(PlayerError, match="has been closed"):
            call()


def test_a_program_that_nobody_holds_any_more_is_ended():
    process = python("import time; time.sleep(600)").process
    gc.collect()
    assert process.returncode is not None


def test_what_cannot_be_started_is_a_crash():
    with pytest.raises(PlayerError, match="cannot be started: No such file"):
        Program(["./no-such-program"])
