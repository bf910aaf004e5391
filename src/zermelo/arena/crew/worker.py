"""The far end of `processes`: a process that plays what it is handed, and the guard that sees to its end.

Outside programs are in sessions of their own, out of reach of a signal to the worker's group. So a worker's environment
has a mark that everything it starts inherits, and by which all of it is found. Where the system does not show the
environment of processes (there is no /proc), outside programs are left to notice that nobody talks to them any more.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import signal
import struct
import sys
import time
import warnings
from multiprocessing.connection import Connection
from pathlib import Path

from zermelo.arena.fixture import Outcome
from zermelo.arena.host import Host
from zermelo.errors import ContractError, ZermeloError

START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); import zermelo.arena.crew.worker as w; w.serve()"
BEAT = struct.Struct("idd")
"""What a worker tells of itself: who is thinking, since when, and how long it may."""
MARK = "ZERMELO_WORKER"
"""The variable of the environment that holds the mark."""
PROCESSES = Path("/proc")
SEARCHES = 500
"""How often marked processes are looked for until none is left: one that is being ended may have started another."""


def serve() -> None:
    """Plays what comes through the connection until it is closed; what `START` runs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the crew's to handle
    warnings.simplefilter("ignore")  # and what there is to say of a game's rules, the crew's process says once
    connection_at, memory_at, life_at, cores = json.loads(sys.argv[2])
    set_guard(life_at, connection_at)
    if cores:
        with contextlib.suppress(OSError):  # they have been taken away meanwhile
            os.sched_setaffinity(0, cores)
    memory = mmap.mmap(memory_at, mmap.PAGESIZE)
    os.close(memory_at)

    def beat(seat: int, seconds: float) -> None:
        BEAT.pack_into(memory, 0, seat, time.monotonic(), seconds)

    connection, host = Connection(connection_at), Host(beat)
    with contextlib.suppress(EOFError, OSError):  # the crew is gone
        while True:
            job = connection.recv()
            answer: Outcome | ZermeloError
            try:
                answer = host.play(job)
            except ZermeloError as error:
                answer = type(error)(str(error))
            try:
                connection.send(answer)
            except (TypeError, AttributeError, ValueError) as error:  # from pickle, before anything is sent
                connection.send(ContractError(f"the actions of {job.game} cannot leave their process: {error}"))
    host.close()


def set_guard(life: int, connection: int) -> None:
    """Leaves a process behind that ends this one, and all that it has started, when nobody holds `life` any more.

    A thread could not: whoever hangs may hold Python's lock.
    """
    if os.fork() != 0:
        os.close(life)
        return
    os.close(connection)  # or the crew would not notice when the worker dies
    os.read(life, 1)
    end_marked(os.environ[MARK])
    os.killpg(0, signal.SIGKILL)


def end_marked(mark: str) -> None:
    """Ends every process but this one that has inherited `mark`, whatever group or session it has made for itself."""
    for _ in range(SEARCHES):
        marked = find_marked(mark)
        if not marked:
            return
        for process in marked:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.002)


def find_marked(mark: str) -> list[int]:
    """The numbers of the processes that have inherited `mark`, without this one."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for folder in PROCESSES.iterdir() if PROCESSES.is_dir() else ():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            with contextlib.suppress(OSError):  # it has ended, or is somebody else's
                if wanted in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
    return found
