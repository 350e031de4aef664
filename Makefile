# make demo     serve the bundled sample site on this machine and crawl it by four rules
# make test     every check and every test, in as many processes as there are cores, 2 to 4; WORKERS=0 makes it one
# make test-floors   the tests again, with the oldest versions of other packages that pyproject.toml allows
# make check    the checks alone: style, types, layers
# make bench    timings beside other crawlers
# make docs     the manual, into site/
# make extension     the browser extension, into dist/: a folder to load unpacked, and a zip of it
# make docker   an image with the command, all extras but ray, and Chromium
# make venv     the environment the others use; made again when pyproject.toml or what is compiled changes

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(min(4, max(2, os.cpu_count())))')
FLOORS := .venv-floors
TESTS :=
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test test-floors check bench docs extension docker venv clean
.DELETE_ON_ERROR:

demo: $(VENV)/dowse
	$(BIN)/dowse demo

test: check $(VENV)/browser $(VENV)/whole-browser $(VENV)/forums
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal

test-floors: $(FLOORS)/installed $(VENV)/browser $(VENV)/whole-browser
	$(FLOORS)/bin/python -m pytest $(TESTS)

check: $(VENV)/installed
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/installed-bench
	$(BIN)/python -m benchmarks

docs: $(VENV)/installed-docs
	$(BIN)/mkdocs build --strict

extension: $(VENV)/dowse
	$(BIN)/python -m dowse.web.extension_pack dist

docker:
	@command -v docker > /dev/null || { echo "make docker needs Docker: see docs.docker.com/get-docker"; exit 1; }
	docker build --tag dowse .

venv: $(VENV)/installed

$(VENV)/dowse: pyproject.toml setup.py $(wildcard src/dowse/*/*.[ch])
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "dowse needs Python 3.11 or newer: make PYTHON=/path/to/python3 ..."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { echo "python3 cannot make environments: install its venv module (package python3-venv)"; exit 1; }
	$(INSTALL) --editable .
	@touch $@

# The tests need every extra; what `make demo` needs is a tenth of that.
$(VENV)/installed: $(VENV)/dowse
	$(INSTALL) --editable '.[test,check]'
	@touch $@

$(VENV)/installed-%: $(VENV)/installed
	$(INSTALL) --editable '.[$*]'
	@touch $@

$(FLOORS)/installed: pyproject.toml setup.py tests/floors.py
	$(PYTHON) -m venv --clear $(FLOORS)
	$(FLOORS)/bin/python tests/floors.py > $(FLOORS)/floors.txt
	$(FLOORS)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(FLOORS)/floors.txt --editable '.[test]'
	@touch $@

# Chromium for the tests: the one that is there, Debian's package, or what Playwright fetches.
$(VENV)/browser: $(VENV)/installed
	@$(BIN)/python -c 'from dowse.fetch.chromium import check_browser; check_browser()' 2>/dev/null \
	|| { apt-get update -q && apt-get install -y -q --no-install-recommends chromium-headless-shell; } \
	|| $(BIN)/playwright install --with-deps chromium-headless-shell
	@touch $@

# A whole Chromium besides, for the extension: the headless shell is quicker for all other tests, and loads none.
$(VENV)/whole-browser: $(VENV)/installed
	@$(BIN)/python -c 'from tests.extensions import whole_browser; whole_browser()' 2>/dev/null \
	|| { apt-get update -q && apt-get install -y -q --no-install-recommends chromium; } \
	|| $(BIN)/playwright install --with-deps chromium
	@touch $@

# Real forum software for the tests, each in an environment of its own: it needs other versions than dowse does.
$(VENV)/forums: $(VENV)/installed benchmarks/forum_software/starting.py
	$(BIN)/python -m benchmarks.forum_software.starting machina spirit
	@touch $@

clean:
	rm -rf $(VENV) $(FLOORS) build src/*.egg-info src/dowse/*/*.so .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache site dist
