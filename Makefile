# The commands of a working day. Needs only Python 3.11 or later, make and git; everything else goes into $(VENV).
#   make demo [ROUNDS=n]   a simulated table deals itself        make test   all tests
#   make lint              style, types, architecture            make bench  the numbers
#   make lock              renew the locked requirements         make clean  remove what was made
#   make rules             write docs/rules.md anew: each rule, its code, its scripts
#   make keys              write docs/keys.md anew: each key of the console
#   make options           write docs/options.md anew: each game, its spots and options
#   make terms             write docs/terms.md anew: the items of a tournament's terms
#   make commands          write docs/commands.md anew: each command of felt
#   make errors            write docs/errors.md anew: each code, its cause, what to do
#   make pictures          take the pictures in docs/pictures anew
#   make coverage          what tests reach of the rules         make release [DRY=1]  checks, wheel, notes, tag
#   make week [ARGS=...]   a week of eight simulated tables: money, planted deeds, false alarms
#   make mutants           faults planted into the rules, and which of them no test finds
#   make fuzz [ARGS=...]   hours of hostile inputs for everything that reads some
#   make deb [RELEASE=13] [ARCH=arm64]   the Debian package of this machine, or another; RELEASE=all ARCH=all
#   make deb-check         the same, built twice and compared
#   make emulator          gcc for the Cortex-M and QEMU, for the tests of the reference firmware; 500 MB
#   make vm-test [RELEASE=13]   the package on Debian's own kernel, under QEMU; minutes
SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS   += --no-print-directory
unexport PYTHONDONTWRITEBYTECODE # tests start a thousand processes; none shall compile everything anew

PYTHON ?= python3
VENV   ?= .venv
ROUNDS ?=
ARGS   ?=
WORKERS ?= $(shell echo $$(( 2 * $$(nproc) )))# of the tests: many of them wait for a wire, a browser or a process

PACKAGES := controller drivers firmware_bridge hw_sim pytest_felt
BIN   := $(VENV)/bin
PYTEST = $(BIN)/python -m $(if $(AGAIN),tools.again,pytest)# AGAIN=1: what failed is tried once more, alone
STAMP := $(VENV)/.installed
RUNTIME := $(VENV)/.runtime
PIP   := $(BIN)/python -m pip --disable-pip-version-check --quiet
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
           --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade)

say = @printf '==> %s\n' '$(1)'

.DEFAULT_GOAL := help
.PHONY: help install demo test debian emulator coverage mutants fuzz week deb deb-check vm-test lint format odds-check bench rules keys options terms commands errors pictures lock release clean

help:
	@sed -n '2,19s/^# *//p' Makefile

install: $(STAMP)

$(BIN)/python:
	$(call say,Making $(VENV) with $(PYTHON))
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "feltd needs Python 3.11 or later: make PYTHON=python3.x ...")'
	@$(PYTHON) -m venv $(VENV)

# Again whenever the lock or the project's own description changed.  Who only wants to see a table needs no linters.
$(RUNTIME): requirements/run.txt pyproject.toml | $(BIN)/python
	$(call say,Installing what a table needs)
	@$(PIP) install --require-hashes -r requirements/run.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(STAMP): requirements/dev.txt pyproject.toml | $(BIN)/python
	$(call say,Installing the locked requirements)
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@ $(RUNTIME)

demo: $(RUNTIME)
	$(call say,A simulated table deals itself$(if $(ROUNDS),: $(ROUNDS) rounds,; Ctrl-C ends it))
	@$(BIN)/felt sim $(if $(ROUNDS),--rounds $(ROUNDS)) $(ARGS)

test: install debian
	$(call say,Unit and rule tests and the examples in docstrings)
	@$(PYTEST) -q -n $(WORKERS) --dist=worksteal --doctest-modules --ignore=tests/system tests $(PACKAGES) tools $(ARGS)
	$(call say,The whole daemon)
	@$(PYTEST) -q -n $(WORKERS) --dist=worksteal tests/system $(ARGS)

# PostgreSQL and Chromium for the tests: found, or installed where that is possible.
debian:
	@tools/ensure_debian.sh

# Measured where the rules are: the rooms that do no I/O, by the tests that run them in-process.
coverage: install debian
	$(call say,Lines and branches of the rules that tests reach)
	@$(BIN)/python -m tools.covered $(ARGS)

# For tests/reference: about 500 MB, so `make test` does not bring it, and skips by name what needs it.
emulator:
	@tools/ensure_debian.sh gcc-arm-none-eabi qemu-system-arm

# A thousand faults, one at a time: half an hour or more on two cores.  make mutants ARGS="--again --only controller/money"
mutants: install debian
	$(call say,Faults planted into the rules)
	@$(BIN)/python -m tools.mutants $(ARGS)

# One hour unless ARGS says otherwise: ARGS="--minutes 600 -j 2", ARGS="--target wire".  docs/fuzzing.md
fuzz: install
	$(call say,Hostile inputs)
	@$(BIN)/python -m tests.fuzz $(ARGS)

lint: install
	$(call say,Style)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check . || { echo 'Some files are not formatted: make format'; exit 1; }
	$(call say,One decision a line: boolean operators per 100 lines)
	@$(BIN)/python -m tools.density
	$(call say,Docstrings that do not begin with what a function does)
	@$(BIN)/python -m tools.docstrings
	$(call say,Names that do not say what a thing is)
	@$(BIN)/python -m tools.names
	$(call say,Types)
	@$(BIN)/mypy --no-error-summary
	$(call say,Architecture)
	@$(BIN)/lint-imports --no-logo
	$(call say,Dependencies)
	@$(BIN)/deptry .

format: install
	$(call say,Formatting)
	@$(BIN)/ruff check --quiet --fix . || true
	@$(BIN)/ruff format --quiet .

odds-check: install
	$(call say,The edges that take minutes)
	@FELT_ODDS=1 $(BIN)/python -m pytest -q tests/odds/test_slow.py tests/odds/test_kept.py $(ARGS)

# Seeded; some hours of simulated play in each of seven days.  `--seed`, `--rounds` of a table and day, `--jobs`.
week: install
	$(call say,A week of eight tables)
	@$(BIN)/python -m benchmarks.week $(ARGS)

# ARGS="--realtime --compare" on a busy machine; ARGS=--keep keeps the run.  docs/performance.md
bench: install
	$(call say,The numbers)
	@$(BIN)/python -m benchmarks $(ARGS)
	$(call say,Ranking hands)
	@$(BIN)/python -m pytest -q benchmarks --benchmark-disable-gc --benchmark-columns=median,ops

# Refuses when a rule that was proven would become a gap; make rules ARGS=--anyway when it is meant so.
rules: | $(BIN)/python
	$(call say,Mapping the rules to code and scripts)
	@$(BIN)/python -m tools.rules_map $(ARGS)

keys: | $(BIN)/python
	$(call say,Listing the keys of the console)
	@$(BIN)/python -m tools.keys_page

options: | $(BIN)/python
	$(call say,Listing the games and their options)
	@$(BIN)/python -m tools.options_page

terms: | $(BIN)/python
	$(call say,Listing the items of the terms of a tournament)
	@$(BIN)/python -m tools.terms_page

commands: | $(BIN)/python
	$(call say,Listing the commands of felt)
	@$(BIN)/python -m tools.commands_page

errors: | $(BIN)/python
	$(call say,Listing the codes)
	@$(BIN)/python -m tools.errors_page

# Look at each of them before they are committed.
pictures: install debian
	$(call say,Taking the pictures in the documents)
	@FELT_PICTURES=anew $(BIN)/python -m pytest -q -p no:xdist tests/web/test_pictures.py

# make lock keeps what still fits; make lock UPGRADE=1 takes the newest of everything.
lock: | $(BIN)/python
	$(call say,Locking)
	@test -x $(BIN)/uv || $(PIP) install uv
	@mkdir -p requirements
	@$(COMPILE) pyproject.toml -o requirements/base.txt
	@$(COMPILE) pyproject.toml --extra dev -o requirements/dev.txt
	@$(COMPILE) pyproject.toml --extra checkout -o requirements/run.txt
	@$(COMPILE) pyproject.toml --extra postgres --extra tui --constraints requirements/dev.txt -o requirements/package.txt
	@if grep -nE '://|^ *-(i|f|-index-url|-extra-index-url|-find-links)\b|@ ' requirements/*.txt; then \
	  echo 'A lock names an address; it must not'; exit 1; fi

# make release DRY=1 does everything but the tag.
release: install
	@$(BIN)/python -m tools.release $(if $(DRY),--dry)

# Only root may change into the root of a release: sudo make deb.  FELTD_CACHE keeps roots and wheels.  docs/packaging.md
deb: install
	$(call say,Debian package)
	@$(BIN)/python -m tools.deb $(if $(RELEASE),--release $(RELEASE)) $(if $(ARCH),--arch $(ARCH)) $(ARGS)

deb-check: ARGS += --check
deb-check: deb

# Needs root, and installs QEMU and mmdebstrap where it can.  ARGS="--only FTDI --keep".  docs/real-machines.md
vm-test: install
	$(call say,The package on a real kernel)
	@$(BIN)/python -m tests.vm $(if $(RELEASE),--release $(RELEASE)) $(ARGS)

clean:
	$(call say,Removing what was made)
	@rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks
	@find $(PACKAGES) tests benchmarks tools examples -name __pycache__ -type d -prune -exec rm -rf {} +
	@rm -rf $(VENV)
