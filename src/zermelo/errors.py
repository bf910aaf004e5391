"""Every error that Zermelo raises on purpose, as one tree.

    ZermeloError
    ├── InputError (ValueError)         what a person, a file or a peer sent cannot be used
    │   ├── GameNotFoundError           no game of that name, file or class
    │   ├── OptionError                 an option or argument that the thing named does not take
    │   ├── OtherOptionsError           a file of the game with other options than it has here
    │   ├── TreeError                   text or data that is not a game tree
    │   ├── PositionError               text that is not a position of the game
    │   ├── ActionError                 text that names no action, or an action that is not legal here
    │   └── TraceError                  a file that is not a trace
    ├── ContractError                   a game broke the contract of `zermelo.Game`
    ├── MethodError                     the method does not fit the game (minimax for three players, …)
    ├── CompileError                    the rules cannot be compiled; they still run interpreted
    │   └── RefusedError                a compiled rule met a number that it cannot hold, and Python can
    ├── PlayerError                     a player failed: it crashed, hangs, ran out of time or broke the rules
    └── UnsolvedError                   a proof was asked for and not reached within the limits

Each message says what is wrong and what to do about it, in one line.
"""


class ZermeloError(Exception):
    """The root of the tree; catch it to catch everything that is ours."""


class InputError(ZermeloError, ValueError):
    """What was sent cannot be used; nothing was changed or lost."""


class GameNotFoundError(InputError):
    """No game of that name, file or class."""


class OptionError(InputError):
    """An option that does not exist or has a value it cannot take."""


class OtherOptionsError(InputError):
    """A file is of the same game with other options."""

    def __init__(self, name: str, options: str):
        super().__init__(f"the file needs other options: {name}:{options}")
        self.options = options
        """What the file needs."""


class TreeError(InputError):
    """Text or data that does not describe a game tree."""


class PositionError(InputError):
    """Text that does not describe a position of the game."""


class ActionError(InputError):
    """Text that names no action, or an action that is not legal in the position."""


class TraceError(InputError):
    """A file that is not a trace, or not a whole one."""


class ContractError(ZermeloError):
    """A game does something that the contract of `zermelo.Game` rules out."""


class MethodError(ZermeloError):
    """The method asked for does not fit the game; the message names one that does."""


class CompileError(ZermeloError):
    """The rules of a game cannot be compiled; the message names the line and a remedy."""


class RefusedError(CompileError):
    """A compiled rule met what only Python can do, as with a number beyond 64 bits; the message names the rule."""


class PlayerError(ZermeloError):
    """A player failed in a game; `kind` says how, as in `crash`, `hang`, `time`, `illegal move`, `garbage`."""

    def __init__(self, message: str, kind: str = "crash"):
        super().__init__(message)
        self.kind = kind


class UnsolvedError(ZermeloError):
    """A proof was asked for and not reached; the message says how far it got, and `analysis` holds what is known."""

    def __init__(self, message: str, analysis: object = None):
        super().__init__(message)
        self.analysis = analysis
