# The shop's commands; each does its own set-up first, and only what has changed since.
#   make run    the whole shop on http://localhost:8000 (PORT, HOST and DATA_DIR choose otherwise)
#   make test   every test: on PostgreSQL if one is reachable, on SQLite, in a browser
#   make test-quick  the quick tests, for every change
#   make test-full  every test, in the browser in every language and viewport
#   make lint   every check of style, types and structure;  make fmt sets the style
#   make bench  measures the shop with 490, 100,000 and 1,000,000 products (SIZES=490 and ONLY=purchase choose)
#   make chaos  puts the shop under load and makes something fail (ONLY=wallets,few_buyers and ENGINES choose)
#   make mutants  puts small faults into the services and runs the tests (ONLY=settle,stock chooses files)
#   make types  writes what is generated from the Python code;  make messages collects texts to translate
#   make help-pictures  generates the pictures of the back office's help from its screens
#   make regions  writes the region data of address forms from the packages it comes from
#   make pictures  generates the demonstration's pictures, which its tables name
#   make lock   pins the Python packages that pyproject.toml names

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

ifndef PYTHON
PYTHON := $(shell for each in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$each && break; done)
endif
BIN := .venv/bin
SET_UP = $(PYTHON) scripts/set_up.py
STEPS := packages dev-packages node-packages islands fonts texts statics

.PHONY: run test test-quick test-full bench chaos mutants lint fmt types messages regions pictures lock python $(STEPS)

run: python
	@$(SET_UP) islands fonts texts statics demo
	@exec $(BIN)/python manage.py serve --demo

test: python
	@$(SET_UP) dev-packages islands fonts texts statics
	@exec scripts/test.sh

test-full: python
	@$(SET_UP) dev-packages islands fonts texts statics
	@exec scripts/test.sh full

test-quick: python
	@$(SET_UP) dev-packages islands fonts texts statics
	@exec scripts/test.sh quick

# FRESH=1 loads the catalogues again, PUBLISH=1 writes the figures into
# docs/performance-figures.md.
bench: dev-packages fonts statics texts
	@exec $(BIN)/python -m tools.bench $(if $(SIZES),--sizes $(SIZES)) $(if $(SECONDS),--seconds $(SECONDS)) \
		$(if $(ENGINES),--engines $(ENGINES)) $(if $(ONLY),--only $(ONLY)) $(if $(ORDERS),--orders $(ORDERS)) \
		$(if $(FRESH),--fresh) $(if $(PUBLISH),--publish)

chaos: dev-packages fonts statics texts
	@exec $(BIN)/python -m tools.chaos $(if $(ONLY),--only $(ONLY)) $(if $(ENGINES),--engines $(ENGINES))

# JOBS=1 leaves other processors free, KEEP=1 skips mutants that were noticed before, PUBLISH=1 writes the
# figures and the survivors into tools/mutants/survivors.md.
mutants: dev-packages fonts statics texts
	@exec env -u DATABASE_URL $(BIN)/python -m tools.mutants $(if $(ONLY),--only $(ONLY)) \
		$(if $(JOBS),--jobs $(JOBS)) $(if $(KEEP),--keep) $(if $(PUBLISH),--publish)

lint: python
	@$(SET_UP) dev-packages islands texts
	@exec scripts/lint.sh

fmt: dev-packages node-packages
	$(BIN)/ruff check --quiet --fix-only .
	$(BIN)/ruff format .
	$(BIN)/djangofmt check --quiet --fix templates
	$(BIN)/djangofmt --quiet templates
	npm run --silent fmt

types: dev-packages node-packages
	$(BIN)/python manage.py export_errors
	$(BIN)/python manage.py export_openapi_schema --api config.api.api --indent 2 --output build/openapi.json
	npm run --silent types -- build/openapi.json

messages: dev-packages
	$(BIN)/python manage.py update_messages

help-pictures: dev-packages islands fonts texts statics
	@CHROMIUM=$$(scripts/find_chromium.sh) $(BIN)/python -m tools.help_pictures

regions: dev-packages node-packages
	$(BIN)/python -m tools.regions.write

pictures: packages fonts
	$(BIN)/python -m tools.demo_pictures

LOCK = UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate
lock: packages
	$(LOCK) --group installer --output-file requirements-uv.txt
	$(LOCK) pyproject.toml --extra build --output-file requirements.txt
	$(LOCK) pyproject.toml --extra build --extra dev --constraint requirements.txt --output-file requirements-dev.txt

# ── Set-up ──────────────────────────────────────────────────────────────────────────────────────────────

python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name it: make PYTHON=/path/to/python3"; exit 1; }

$(STEPS): python
	@$(SET_UP) $@
