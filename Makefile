# `make report` renders the posts, `make test` runs the tests. Both make what they need in .venv.
# Written for GNU make 3.81 and newer: that is what macOS has.

PYTHON ?= python3
CORES ?= 1
# Frameworks to collect with, all of them if left out: `make report FRAMEWORKS="pytorch jax"`.
# `make report FRAMEWORKS=` installs none: posts on committed telemetry need none.
FRAMEWORKS ?= pytorch jax tensorflow mlx
# Two processes halve the time; more would disturb the tests that measure.
PYTEST_ARGS ?= -n 2 --dist loadfile
BENCH_ARGS ?=

UV_VERSION := 0.13.9
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

KNOWN_FRAMEWORKS := $(sort $(patsubst requirements/%.txt,%,$(wildcard requirements/*.txt)))
UNKNOWN_FRAMEWORKS := $(filter-out $(KNOWN_FRAMEWORKS),$(FRAMEWORKS))
ifneq ($(strip $(UNKNOWN_FRAMEWORKS)),)
$(error FRAMEWORKS: '$(UNKNOWN_FRAMEWORKS)' is not known here; choose among: $(KNOWN_FRAMEWORKS))
endif
READY := $(INSTALLED) $(patsubst %,$(INSTALLED)-%,$(FRAMEWORKS))

# A rule's script is started as `python`: that has to be the one of .venv.
WITH_VENV = PATH="$(CURDIR)/$(BIN):$$PATH"

# uv does in seconds what takes pip minutes, but reads none of pip's settings: hand over two of them.
# Where neither is set it chooses PyTorch's build by the GPU's driver, the small one without a GPU.
# Where uv can't be had, or can't reach what pip can, pip does the work.
UV = env VIRTUAL_ENV="$(CURDIR)/$(VENV)" \
  $${PIP_FIND_LINKS:+"UV_FIND_LINKS=$$PIP_FIND_LINKS"} \
  $${PIP_INDEX_URL:+"UV_DEFAULT_INDEX=$$PIP_INDEX_URL"} \
  $$(test -n "$$PIP_FIND_LINKS$$PIP_INDEX_URL$$UV_TORCH_BACKEND" || echo UV_TORCH_BACKEND=auto) \
  $(BIN)/uv
PIP = $(BIN)/python -m pip --disable-pip-version-check
install = { test -x $(BIN)/uv && $(UV) pip install --quiet $(1); } || $(PIP) install --quiet $(1)

.PHONY: help report test bench lint unlock clean distclean

help:
	@echo 'make report     render the posts into report/'
	@echo 'make test       run the tests (PYTEST_ARGS="-m gpu" and the like are passed on)'
	@echo 'make lint       ruff, mypy --strict, snakemake --lint'
	@echo 'make unlock     after a build that was killed: lets the next one start'
	@echo 'make bench      measure the speed against its limits (BENCH_ARGS=--write keeps the table)'
	@echo 'make clean      remove what can be rebuilt; raw telemetry and report/ stay'
	@echo 'make distclean  the same, and .venv'
	@echo 'Settings: PYTHON=$(PYTHON) CORES=$(CORES) FRAMEWORKS="$(KNOWN_FRAMEWORKS)"'

report: $(READY)
	$(WITH_VENV) $(BIN)/snakemake --cores $(CORES) report

test: $(READY)
	$(WITH_VENV) $(BIN)/pytest $(PYTEST_ARGS)

# Snakemake keeps a killed build's lock, lest a second one starts beside it.
unlock: $(INSTALLED)
	$(WITH_VENV) $(BIN)/snakemake --cores 1 --unlock

bench: $(READY)
	$(WITH_VENV) $(BIN)/python benchmarks/bench.py $(BENCH_ARGS)

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict src scripts benchmarks
	$(WITH_VENV) $(BIN)/snakemake --lint

# The stamp comes last, so that an interrupted or failed installation starts again.
$(INSTALLED): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "benchproof needs Python 3.11 or newer, and '$(PYTHON)' is: $$($(PYTHON) --version 2>&1 | head -n 1)"; \
	  echo "Name another one: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; } >&2
	@echo 'Installing into $(VENV) ...'
	@$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); \
	  echo "'$(PYTHON) -m venv $(VENV)' failed, see above. Debian and Ubuntu keep it apart: apt install python3-venv"; \
	  exit 1; } >&2
	@$(PIP) install --quiet 'uv==$(UV_VERSION)' || echo 'No uv for this machine: pip installs, which takes longer.'
	@$(call install,-r requirements.txt)
	@$(call install,--no-deps --no-build-isolation -e .)
	@touch $@

$(INSTALLED)-%: requirements/%.txt $(INSTALLED)
	@echo 'Installing $* into $(VENV) ...'
	@$(call install,-r requirements.txt -r $<)
	@touch $@

clean:
	rm -rf results/tables results/figures results/render results/audit results/collect logs
	rm -rf .snakemake .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	find src scripts tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	rm -rf $(VENV)
