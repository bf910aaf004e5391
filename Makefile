# make demo     a tour of one minute
# make studio   the web application, in a browser
# make test     all that CI runs: install, lint, types, layers, tests, a wheel in an empty environment
# make docs     the site, into site/

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: install demo studio test browser lint types layers tests wheel docs pictures screenshots clean FORCE

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

test: lint types layers tests wheel

lint: install
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: install
	$(BIN)/mypy

layers: install
	$(BIN)/lint-imports

tests: install browser
	PYTHONUTF8=1 $(BIN)/python -m pytest -q -n 2

# The studio is tested in Chromium: the system's, or Playwright's own; without either, those tests say that they are skipped.
browser: install
	@{ command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null 2>&1 \
	  || { apt-get update --quiet && apt-get install --yes --quiet chromium; } >/dev/null 2>&1 \
	  || $(BIN)/playwright install --with-deps chromium >/dev/null 2>&1 \
	  || $(BIN)/playwright install chromium >/dev/null 2>&1 \
	  || echo "no Chromium can be had here: the studio's browser tests will be skipped"

# The package as a user gets it: a wheel, in an environment with nothing else, away from the sources.
wheel: install
	rm -rf build/wheel && mkdir -p build/wheel
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/wheel .
	$(BIN)/python tests/smoke.py build/wheel/*.whl

docs: install
	$(BIN)/mkdocs build --strict

# The drawings of the docs, made anew by our own traces.
pictures: install
	$(BIN)/python docs/pictures.py

screenshots: browser
	$(BIN)/python docs/screenshots.py

clean:
	rm -rf build dist site .mypy_cache .pytest_cache .ruff_cache
