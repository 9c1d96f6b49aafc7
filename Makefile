# The shop's commands; each does its own set-up first, and only what has changed since.
#   make run    the whole shop on http://localhost:8000 (PORT, HOST and DATA_DIR choose otherwise)
#   make test   every test: on SQLite, on PostgreSQL where one is reachable, in a browser
#   make lint   every check of style, types and structure;  make fmt sets the style
#   make bench  measures the shop with 490, 100,000 and 1,000,000 goods (SIZES=490,100000 chooses)
#   make types  writes what is generated from the Python code;  make messages collects texts to translate
#   make lock   pins the Python packages that pyproject.toml asks for

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

ifndef PYTHON
PYTHON := $(shell for each in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$each && break; done)
endif
BIN := .venv/bin
STEP = @$(PYTHON) scripts/step.py
PIP = $(BIN)/pip --disable-pip-version-check install --quiet
TEXTS := $(shell find site catalog commerce -name '*.po')

.PHONY: run test bench lint fmt types messages lock \
	python node venv packages dev-packages node-packages islands texts statics

run: packages islands texts statics
	@exec $(BIN)/python manage.py serve --demo

test: dev-packages islands texts statics
	@exec scripts/test.sh

# FRESH=1 loads the catalogues anew, PUBLISH=1 writes the figures into README.
bench: packages islands texts statics
	@exec $(BIN)/python -m config.bench $(if $(SIZES),--sizes $(SIZES)) $(if $(SECONDS),--seconds $(SECONDS)) \
		$(if $(ENGINES),--engines $(ENGINES)) $(if $(FRESH),--fresh) $(if $(PUBLISH),--publish)

lint: dev-packages node-packages texts
	@exec scripts/lint.sh

fmt: dev-packages node-packages
	$(BIN)/ruff check --quiet --fix-only .
	$(BIN)/ruff format .
	npm run --silent fmt

types: dev-packages node-packages
	$(BIN)/python manage.py export_errors
	$(BIN)/python manage.py export_openapi_schema --indent 2 --output build/openapi.json
	npm run --silent types -- build/openapi.json

messages: dev-packages
	$(BIN)/python manage.py update_messages

LOCK = UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate pyproject.toml --extra build
lock: dev-packages
	$(LOCK) --output-file requirements.txt
	$(LOCK) --extra dev --constraint requirements.txt --output-file requirements-dev.txt

# ── Set-up ──────────────────────────────────────────────────────────────────────────────────────────────

python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name it: make PYTHON=/path/to/python3"; exit 1; }

node:
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null && command -v npm >/dev/null || \
		{ echo "Node.js 20 or newer with npm is needed: https://nodejs.org, or your system's package nodejs"; exit 1; }

venv: python
	$(STEP) "Virtual environment" .venv/.step-venv -- $(PYTHON) -m venv .venv

packages: venv
	$(STEP) "Python packages" .venv/.step-packages requirements.txt pyproject.toml -- bash -c \
		"$(PIP) --require-hashes -r requirements.txt && $(PIP) --no-build-isolation --no-deps -e ."

dev-packages: packages
	$(STEP) "Python packages for tests" .venv/.step-dev requirements-dev.txt -- \
		$(PIP) --require-hashes -r requirements-dev.txt

node-packages: node
	$(STEP) "Node packages" node_modules/.step package.json package-lock.json .npmrc -- npm ci --silent

islands: node-packages
	$(STEP) "Islands and stylesheet" static/islands/.step islands static/css package-lock.json -- \
		npm run --silent build

texts: packages
	$(STEP) "Texts in Chinese" build/.step-texts $(TEXTS) -- bash -c \
		'for file in $(TEXTS); do $(BIN)/pybabel --quiet compile -i $$file -o $${file%.po}.mo; done'

statics: packages islands
	$(STEP) "Static files, hashed and compressed" build/static/.step static requirements.txt site/config/storage.py -- \
		$(BIN)/python manage.py collectstatic --no-input --clear --verbosity 0 --ignore "redoc*"
