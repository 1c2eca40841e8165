# Two commands do everything: make demo, make test. Each installs what is missing first.
.DEFAULT_GOAL := help
.PHONY: help install build test test-checked demo run bench mutants screenshots format clean
JOBS ?= $(shell nproc)
DATA ?= demo

help: ## print these targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: ## install what is missing (Debian packages, DuckDB)
	@tools/install.sh

build: install ## build the program: build/pratique
	@tools/build.sh build pratique

test: install ## build and run every test; formatting included
	@JOBS=$(JOBS) tools/test.sh

test-checked: install ## run unit tests and fuzzers under AddressSanitizer and UBSan; lint everything
	@JOBS=$(JOBS) tools/test.sh --checked

demo: build ## make a synthetic consortium and take it through the flow
	@tools/demo.py

run: build ## open the workbench on the demo's folder (DATA=DIR for another)
	@mkdir -p $(DATA)
	@build/pratique serve --data $(DATA) --open

bench: install ## measure every promise of speed, or with NAME=tables those of bench/tables.py
	@tools/bench.sh $(NAME) $(PART)

mutants: install ## which changes of FOLDER=verify do its tests not notice (COUNT=50 SEED=1 ONLY=FILE)
	@tools/mutants.py $(or $(FOLDER),verify) --count $(or $(COUNT),50) --seed $(or $(SEED),1) --jobs $(JOBS) --only '$(or $(ONLY),*)'

screenshots: build ## take the pictures of README.md and docs/ from the workbench
	@cd web && npx --no-install playwright test --config pictures.config.ts

format: ## format every source file in place
	@tools/check-format.sh --fix

clean: ## remove everything that was built (not what was installed)
	rm -rf build build-* demo
