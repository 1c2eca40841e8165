# Two commands do everything: make demo, make test. Each installs what is missing first.
.DEFAULT_GOAL := help
.PHONY: help install build test demo bench format clean
JOBS ?= $(shell nproc)

help: ## print these targets
	@awk -F':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: ## install what is missing (Debian packages, DuckDB)
	@tools/install.sh

build: install ## build the program: build/pratique
	@tools/build.sh build -DPRATIQUE_SANITIZE=OFF

test: install ## build and run every test, formatting and lint included
	@tools/test.sh

demo: build ## make a synthetic consortium and take it through the flow
	@tools/demo.sh

bench: build ## measure every promise of speed
	@tools/bench.sh

format: ## format every source file in place
	@git ls-files -co --exclude-standard '*.cc' '*.h' | xargs clang-format -i

clean: ## remove everything that was built (not what was installed)
	rm -rf build build-* demo
