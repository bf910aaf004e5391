"""The conformance kit: a game is played at random, and every breach of the contract is reported.

    report = check(game)
    assert report.ok, report.problems

The kit runs in the caller's process, where a rule that never returns is never interrupted; the command
`zermelo check` runs the same kit in a process of its own and ends that.
"""

from zermelo.check.play import check as check
from zermelo.check.report import CheckReport as CheckReport
from zermelo.check.report import Problem as Problem
from zermelo.check.rules import Watch as Watch
