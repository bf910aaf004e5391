"""Pages that send nonsense to a studio: every verb, hostile values, files cut and changed.

    python bench/studio_fuzz.py --seconds 60 --seed 1       exit 1, with the requests, if anything was found
    python bench/studio_fuzz.py --seconds 60 --files        files only: each game's own, cut, changed, of another game

Found is an answer that is no error of ours, that cannot be sent, that breaks a line or does not come; a search that
fails unseen; and a thread that does not come back once its page is gone.
"""

from __future__ import annotations

import json
import random
import sys
import threading
import time
from typing import Any

from studio_nonsense import LOADABLE, mutate, request
from tools import answer, arguments

from zermelo.studio.app import Studio
from zermelo.studio.guard import Guard
from zermelo.studio.messages import read_request, write
from zermelo.studio.server import make_studio
from zermelo.studio.session import StudioSession, describe_error
from zermelo.studio.workers import REQUEST_TIMEOUT_SECONDS, WorkerJob, WorkerPool

FOREIGN = "the rules raised"
"""How the studio calls an error that is not ours: our own games raise none."""
LONGEST = 700
STEPS = 30
"""Requests of a session."""
MOST = 20
"""Findings that are told."""


class Findings:
    """What was found, each kind once."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.requests = 0

    def add(self, what: str, asked: str) -> None:
        self.known.setdefault(what[:120], f"{what}\n    {asked[:600]}")


def watch_jobs(pool: WorkerPool, findings: Findings) -> None:
    """Has every job of `pool` tell what it raises, which the pool itself passes over."""
    submit = pool.submit

    def watched(job: WorkerJob) -> WorkerJob:
        work = job.work

        def told(self: WorkerJob) -> bool:
            try:
                return work(self)
            except BaseException as error:
                findings.add(f"a search failed unseen: {describe_error(error)}", pool.name)
                raise

        job.work = told
        return submit(job)

    pool.submit = watched  # type: ignore[method-assign]


def errors_in(shown: Any) -> list[str]:
    """Every text under the name `error`, at any depth, and under `message` if it reports an error that is not ours."""
    if isinstance(shown, dict):
        own = [str(shown["error"])] if shown.get("error") else []
        own += [str(shown["message"])] if str(shown.get("message", "")).startswith(FOREIGN) else []
        return own + [text for value in shown.values() for text in errors_in(value)]
    return [text for value in shown for text in errors_in(value)] if isinstance(shown, (list, tuple)) else []


def check(message: dict[str, Any], asked: str, findings: Findings) -> None:
    """Whether `message` can be sent, and says what is wrong in words of ours."""
    try:
        write(message).encode()
    except Exception as error:
        findings.add(f"cannot be sent: {type(error).__name__}: {error}", asked)
    for text in errors_in(message):
        if text.startswith(FOREIGN) or len(text) > LONGEST or "\n" in text:
            findings.add(text, asked)


def ask(session: StudioSession, asked: str, findings: Findings) -> dict[str, Any]:
    """The answer of `session`, held to what is promised of it; empty if there was none."""
    findings.requests += 1
    found: list[dict[str, Any]] = []

    def work() -> None:
        try:
            found.append(session.handle(read_request(asked)))
        except BaseException as error:
            findings.add(f"raised {type(error).__name__}: {error}", asked)
            found.append({})

    thread = threading.Thread(target=work, daemon=True)
    begun = time.monotonic()
    thread.start()
    thread.join(REQUEST_TIMEOUT_SECONDS)
    if not found:
        findings.add(f"no answer in {time.monotonic() - begun:.0f} s", asked)
        return {}
    check(found[0], asked, findings)
    for message in session.take_messages():
        check(message, asked, findings)
    return found[0]


def visit(studio: Studio, dice: random.Random, findings: Findings) -> None:
    """One page, from its first word to its last, or until it hangs."""
    session = studio.sessions.join("")
    numbers = iter(range(1, 1 << 30))
    steps = [request(dice) for _ in range(STEPS)]
    for verb, given in steps:
        asked = json.dumps({"id": next(numbers), "do": verb, "with": given})
        if not ask(session, asked, findings):
            return
        if dice.random() < 0.2:
            time.sleep(dice.random() * 0.05)
    for message in [{"event": name, "data": view.snapshot()} for name, view in session.views.items()]:
        check(message, f"the last picture of {message['event']}", findings)
    session.stop()
    del studio.sessions.known[session.key]


def load_files(studio: Studio, dice: random.Random, findings: Findings) -> None:
    """One game's file, saved, then loaded again and again with something changed."""
    session = studio.sessions.join("")
    numbers = iter(range(1, 1 << 30))

    def do(verb: str, **given: Any) -> dict[str, Any]:
        return ask(session, json.dumps({"id": next(numbers), "do": verb, "with": given}), findings)

    game = dice.choice(LOADABLE)
    do("play.new", game=game, seats=["human", "human"], evaluate=False)
    for _ in range(dice.randrange(40)):
        shown = session.views["play"].snapshot() or {}
        if not shown.get("legal"):
            break
        do("play.move", move=dice.choice(shown["legal"])["notation"])
    for form in session.views["play"].formats:  # type: ignore[attr-defined]
        content = do("play.save", format=form).get("ok", {}).get("content", "")
        for _ in range(STEPS):
            other = game if dice.random() < 0.9 else dice.choice(LOADABLE)
            do("play.load", game=other, seats=["human", "human"], text=mutate(content, dice), evaluate=False)
    session.stop()
    del studio.sessions.known[session.key]


def settle(studio: Studio, seconds: float = 60.0) -> str:
    """Waits for searches that nobody wants any more; says which thread does not come back."""
    end = time.monotonic() + seconds
    while studio.searches.running or studio.searches.waiting:
        if time.monotonic() > end:
            return f"{len(studio.searches.running)} searches go on though their pages are gone"
        time.sleep(0.05)
    return ""


def main() -> int:
    asked = arguments(
        __doc__,
        seconds=(60.0, "to go on for"),
        pages=(1_000_000, "at most"),
        seed=(1, "of the first page"),
        files=(False, "load files only"),
    )
    studio, findings = make_studio(Guard.of("127.0.0.1")), Findings()
    watch_jobs(studio.searches, findings)
    end, seed, visitor = time.monotonic() + asked.seconds, asked.seed, load_files if asked.files else visit
    while seed - asked.seed < asked.pages and time.monotonic() < end:
        visitor(studio, random.Random(seed), findings)
        seed += 1
    left = settle(studio)
    if left:
        findings.add(left, "")
    for text in list(findings.known.values())[:MOST]:
        print(text, file=sys.stderr)
    data = {"pages": seed - asked.seed, "requests": findings.requests, "found": len(findings.known)}
    answer(asked, data, f"{data['requests']:,} requests of {data['pages']:,} pages: {data['found']} found", timed=False)
    return 1 if findings.known else 0


if __name__ == "__main__":
    sys.exit(main())
