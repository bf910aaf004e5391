#!/usr/bin/env bash
# Builds the native searches with each sanitizer of the compiler and runs them on random games, on one thread and on four.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/sanitize
sources="native/tests/check.cpp $(echo native/search/*.cpp)"
for kind in address,undefined thread; do
    echo "== $kind"
    # The table's races are its design: it finds torn entries by their key, and all its words are atomic.
    g++ -std=c++20 -O1 -g -fno-sanitize-recover=all -fsanitize=$kind -Wall -Wextra -Inative $sources \
        -o "build/sanitize/check-${kind%%,*}" -pthread
    "build/sanitize/check-${kind%%,*}" "${1:-60}"
done
for kind in address,undefined thread; do
    echo "== Monte Carlo, $kind"
    g++ -std=c++20 -O1 -g -fno-sanitize-recover=all -fsanitize=$kind -Wall -Wextra -Inative native/tests/mcts.cpp \
        native/search/mcts/*.cpp -o "build/sanitize/mcts-${kind%%,*}" -pthread
    "build/sanitize/mcts-${kind%%,*}" "${1:-60}"
done
echo "== chess"
g++ -std=c++20 -O1 -g -fno-sanitize-recover=all -fsanitize=address,undefined -Wall -Wextra -Inative \
    native/tests/chess.cpp native/games/chess/*.cpp -o build/sanitize/chess
build/sanitize/chess "${1:-60}"
echo "== Go"
g++ -std=c++20 -O1 -g -fno-sanitize-recover=all -fsanitize=address,undefined -Wall -Wextra -Inative \
    native/tests/go.cpp native/games/go/patterns.cpp -o build/sanitize/go
build/sanitize/go "${1:-60}"
