"""AlphaZero in one file: a network learns tic-tac-toe from games against itself, in about a minute.

The search is `z.mcts` with PUCT: in place of playouts the network says how likely each move is, and how the game will
end. The visits of the search are better than the network's own opinion, so they are what its policy learns; the value
learns the results of the games. Then it plays again. Run it:

    python examples/alphazero.py
    python examples/alphazero.py 100       for a hundred games
"""

import sys
from collections import deque

import numpy as np

import zermelo as z

CELLS, UNITS = 9, 64
SIMULATIONS = 32
GAMES = 25  # between two lessons
REMEMBERED = 20_000  # positions
STEPS, BATCH, RATE = 100, 256, 0.004


def look(s):
    """What the network sees: the cells of the player to move, then those of the other."""
    bits = np.arange(CELLS)
    return np.concatenate([s.mine >> bits & 1, s.theirs >> bits & 1]).astype(np.float32)


class Network:
    """One layer of units below two heads: a policy over the cells, and a value from −1 to 1."""

    def __init__(self, seed=1):
        random = np.random.default_rng(seed)
        sizes = {"hidden": (2 * CELLS, UNITS), "policy": (UNITS, CELLS), "value": (UNITS, 1)}
        self.weights = {name: random.normal(0, size[0] ** -0.5, size) for name, size in sizes.items()}
        self.weights |= {f"{name} bias": np.zeros(size[1]) for name, size in sizes.items()}
        self.means = {name: np.zeros_like(each) for name, each in self.weights.items()}
        self.squares = {name: np.zeros_like(each) for name, each in self.weights.items()}
        self.steps = 0

    def run(self, inputs):
        """The units, the logits of the policy and the value."""
        w = self.weights
        units = np.maximum(inputs @ w["hidden"] + w["hidden bias"], 0)
        return units, units @ w["policy"] + w["policy bias"], np.tanh(units @ w["value"] + w["value bias"])[:, 0]

    def learn(self, inputs, visits, results):
        """One step down the gradient of −visits · log policy + (value − result)²."""
        w, count = self.weights, len(inputs)
        units, logits, values = self.run(inputs)
        policy_error = (softmax(logits) - visits) / count
        value_error = (2 * (values - results) * (1 - values**2) / count)[:, None]
        units_error = (policy_error @ w["policy"].T + value_error @ w["value"].T) * (units > 0)
        self.descend("policy", units, policy_error)
        self.descend("value", units, value_error)
        self.descend("hidden", inputs, units_error)
        self.steps += 1

    def descend(self, name, inputs, error):
        """Adam, for one layer."""
        for each, gradient in ((name, inputs.T @ error), (f"{name} bias", error.sum(axis=0))):
            self.means[each] += 0.1 * (gradient - self.means[each])
            self.squares[each] += 0.01 * (gradient**2 - self.squares[each])
            self.weights[each] -= RATE * self.means[each] / (np.sqrt(self.squares[each]) + 1e-8)

    def evaluator(self, game):
        """What `z.mcts` asks: priors for the actions of each state, and the value for who moves there."""

        def judge(states):
            _, logits, values = self.run(np.stack([look(s) for s in states]))
            return [logits_of(game, s, row) for s, row in zip(states, logits, strict=True)], list(values)

        return judge


def softmax(logits):
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def logits_of(game, s, logits):
    """The probabilities of the legal actions."""
    return softmax(logits[list(game.actions(s))])


def play_game(game, network, seed):
    """A game of the network against itself: (inputs, visits, result) of every position, in all eight symmetries."""
    s, lessons = game.initial(), []
    while not game.is_terminal(s):
        found = z.mcts(
            game, s, simulations=SIMULATIONS, evaluator=network.evaluator(game), batch=8, noise=(0.6, 0.25),
            temperature=1.0, solver=False, seed=seed + len(lessons),
        )  # fmt: skip
        total = sum(found.visits.values())
        lessons.append((s, {a: n / total for a, n in found.visits.items()}))
        s = game.result(s, found.action)
    for state, shares in lessons:
        result = game.utility(s, game.player(state))
        for k in range(game.symmetry_count):
            visits = np.zeros(CELLS)
            for a, share in shares.items():
                visits[game.symmetric_action(a, k)] = share
            yield look(game.symmetric(state, k)), visits, result


def measure(game, network, solution):
    """The share of all positions in which the first choice of the policy, without a search, is a best move."""
    positions = [s for s in solution.states() if not game.is_terminal(s)]
    _, logits, _ = network.run(np.stack([look(s) for s in positions]))
    best = 0
    for s, row in zip(positions, logits, strict=True):
        values = {a: choice.value for a, choice in solution.actions(s).items()}
        best += values[max(values, key=lambda a, row=row: row[a])] == max(values.values())
    return best / len(positions)


def main(games):
    game, network = z.load("tictactoe"), Network()
    random, memory = np.random.default_rng(1), deque(maxlen=REMEMBERED)
    solution = z.solve(game, strongly=True)
    print(f"at first: the policy alone finds a best move in {measure(game, network, solution):.1%} of all positions")
    for played in range(1, games + 1):
        memory.extend(play_game(game, network, seed=100 * played))
        if played % GAMES == 0:
            for _ in range(STEPS):
                chosen = [memory[i] for i in random.integers(len(memory), size=BATCH)]
                network.learn(*map(np.array, zip(*chosen, strict=True)))
        if played % (4 * GAMES) == 0 or played == games:
            print(f"{played:6,} games: {measure(game, network, solution):.1%}", flush=True)
    found = z.mcts(game, simulations=SIMULATIONS, evaluator=network.evaluator(game), solver=False)
    first = game.show_action(game.initial(), found.action)
    print(f"with a search it begins on {first}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
