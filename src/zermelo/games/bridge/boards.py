"""A whole board as files have it: the deal, the auction, the play, the contract and the result."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.errors import InputError
from zermelo.games._bridge.cards import Board
from zermelo.games._bridge.score import LEVELS
from zermelo.games.bridge.auction import Calls, Contract, hear, hear_checked
from zermelo.games.bridge.tricks import Play, fault_of_card, follow

Names = tuple[str, str, str, str]
NOBODY: Names = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class PlayedBoard:
    """A board with all that was called and played, legally; `InputError` says what is not."""

    board: Board
    calls: Calls = ()
    cards: tuple[int, ...] = ()
    """In the order in which they were played."""
    players: Names = NOBODY
    """From north on."""
    said: Contract | None = None
    """The contract, where a file has no auction."""
    claimed: int | None = None
    """The declarer's tricks, where the play was not finished."""

    def __post_init__(self) -> None:
        hear_checked(self.calls, self.board.dealer)
        contract = self.contract
        if self.calls and self.said and hear(self.calls, self.board.dealer).is_over and contract != self.said:
            led = contract or "no contract"
            raise InputError(f"the auction leads to {led}, and the contract is said to be {self.said}")
        self._check_cards(contract)
        play = self.play
        if play and self.cards and self.claimed is not None and contract:
            taken = play.taken[contract.declarer % 2]
            left = self.board.tricks - len(self.cards) // 4
            if not taken <= self.claimed <= taken + left:
                raise InputError(
                    f"the declarer is said to get {self.claimed} tricks, and has {taken} with {left} left to play"
                )

    def _check_cards(self, contract: Contract | None) -> None:
        if not self.cards:
            return
        if contract is None:
            raise InputError("cards are played, and there is no contract: the auction is not over, or all passed")
        for i, card in enumerate(self.cards):
            play = follow(self.cards[:i], (contract.declarer + 1) % 4, contract.trumps)
            left = self.board.hands[play.turn] & ~play.played[play.turn]
            fault = fault_of_card(left, play.turn, play.trick, card)
            if fault:
                raise InputError(f"card {i + 1}: {fault}")

    @property
    def contract(self) -> Contract | None:
        """`None` if the auction is not over, or all have passed."""
        auction = hear(self.calls, self.board.dealer)
        return auction.contract if auction.is_over else self.said

    @property
    def play(self) -> Play | None:
        contract = self.contract
        return follow(self.cards, (contract.declarer + 1) % 4, contract.trumps) if contract else None

    @property
    def tricks(self) -> int | None:
        """The declarer's, once they are known."""
        play, contract = self.play, self.contract
        if play is None or contract is None:
            return None
        return play.taken[contract.declarer % 2] if len(self.cards) == 4 * self.board.tricks else self.claimed

    @property
    def score(self) -> int | None:
        """Of north and south, once it is known; 0 if all have passed."""
        contract, tricks = self.contract, self.tricks
        if contract is None:
            return 0 if hear(self.calls, self.board.dealer).is_over else None
        if tricks is None:
            return None
        book = self.board.tricks - min(self.board.tricks, len(LEVELS))
        points = contract.points(tricks, self.board.is_vulnerable(contract.declarer % 2), book)
        return points if contract.declarer % 2 == 0 else -points
