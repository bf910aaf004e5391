# make demo     a tour of one minute
# make studio   the web application, in a browser
# make quick    the inner loop, under three minutes: lint, types, layers and the fast tests
# make test     all that CI runs: install, lint, types, layers, native tests, tests, a wheel in an empty environment
# make format   formats Python and C++
# make sanitize the native tests at length, under every sanitizer
# make docs     the site, into site/

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
CMAKE  ?= $(or $(shell command -v cmake),$(BIN)/cmake)
CTEST  ?= $(or $(shell command -v ctest),$(BIN)/ctest)
SOURCES := $(shell find native -name '*.cpp' -o -name '*.hpp' -o -name '*.h')

.PHONY: install demo studio quick test native-tests sanitize format tidy browser lint types layers tests wheel docs pictures screenshots clean FORCE

install: $(STAMP)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'

# An editable install knows the files that were there when it was made, so it is made again when that list changes.
$(VENV)/.files: FORCE | $(BIN)/python
	@find src native -type f -not -name '*.pyc' -not -name '*.so' | sort > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(STAMP): $(VENV)/.files pyproject.toml CMakeLists.txt $(shell find native -type f)
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

demo: install
	$(BIN)/python examples/tour.py

studio: install
	$(BIN)/zermelo studio

# The tests of the inner loop: rules of the house, contract, textbook, live games, and the boundary to the core.
QUICK := tests/test_house.py tests/test_options.py tests/game tests/play tests/search/test_worked_examples.py tests/search/trace \
	$(patsubst %,tests/engine/test_%.py,core_stub flat layout perft polytopes searcher timeman turns)

quick: lint types layers
	PYTHONUTF8=1 $(BIN)/python -m pytest -q -n 2 $(QUICK)

test: lint types layers native-tests tests wheel

lint: install
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/clang-format --dry-run -Werror $(SOURCES)

types: install
	$(BIN)/mypy

layers: install
	$(BIN)/lint-imports

tests: install browser
	PYTHONUTF8=1 $(BIN)/python -m pytest -q -n 2

# The native tests, with the sanitizers for memory and undefined behaviour; $(1) are the sanitizers, $(2) the random games.
native_tests = $(CMAKE) -S native/tests -B build/native-$(firstword $(subst $(comma), ,$(1))) \
	    -DZERMELO_SANITIZE=$(1) -DZERMELO_GAMES=$(2) > build/cmake.log \
	  && $(CMAKE) --build build/native-$(firstword $(subst $(comma), ,$(1))) --parallel 2 > build/cmake.log \
	  && $(CTEST) --test-dir build/native-$(firstword $(subst $(comma), ,$(1))) --output-on-failure
comma := ,

native-tests: install
	@mkdir -p build
	$(call native_tests,address$(comma)undefined,20)

sanitize: install
	@mkdir -p build
	$(call native_tests,address$(comma)undefined,600)
	$(call native_tests,thread,200)

format: install
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(SOURCES)

# What clang-tidy thinks of the native code; slow, and no part of `make test`.
tidy: install
	@mkdir -p build
	$(CMAKE) -S native/tests -B build/tidy -DCMAKE_EXPORT_COMPILE_COMMANDS=ON > build/cmake.log
	$(BIN)/clang-tidy --quiet -p build/tidy $(wildcard native/search/*.cpp native/search/mcts/*.cpp native/games/chess/*.cpp)

# The studio is tested in Chromium: the system's, or Playwright's own; without either, those tests say that they are skipped.
browser: install
	@{ command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null 2>&1 \
	  || { apt-get update --quiet && apt-get install --yes --quiet chromium; } >/dev/null 2>&1 \
	  || $(BIN)/playwright install --with-deps chromium >/dev/null 2>&1 \
	  || $(BIN)/playwright install chromium >/dev/null 2>&1 \
	  || echo "no Chromium can be had here: the studio's browser tests will be skipped"

# The package as a user gets it: a wheel with compiled rules, in an environment with nothing else, away from the sources.
wheel: install
	rm -rf build/wheel && mkdir -p build/wheel
	ZERMELO_PRECOMPILE="tictactoe othello" $(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/wheel .
	$(BIN)/python tests/smoke.py build/wheel/*.whl

docs: install
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# The drawings of the docs, made anew by our own traces.
pictures: install
	$(BIN)/python docs/pictures.py

screenshots: browser
	$(BIN)/python docs/screenshots.py

clean:
	rm -rf build dist site .mypy_cache .pytest_cache .ruff_cache
