"""The engine visits the nodes that it is known to visit: whoever moves the number says so in the commit.

zermelo bench --signature > tests/bench/signature.txt
"""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from zermelo.cli import main

EXPECTED = Path(__file__).with_name("signature.txt")


def run(*arguments: str) -> str:
    done = CliRunner().invoke(main, ["bench", *arguments], prog_name="zermelo")
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_signature_is_what_it_was() -> None:
    assert int(run("--signature")) == int(EXPECTED.read_text(encoding="utf-8"))


def test_the_signature_is_the_sum_of_its_positions_and_every_position_counts() -> None:
    found = json.loads(run("--signature", "--json"))
    assert found["signature"] == sum(found["nodes"].values())
    assert min(found["nodes"].values()) > 1000
