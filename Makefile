# What a contributor needs; `make check` is what CI runs.
GOLANGCI_VERSION := v2.15.0
BIN := $(CURDIR)/.bin
GOLANGCI := $(BIN)/golangci-lint-$(GOLANGCI_VERSION)

.PHONY: help check format vet lint build test bench demo

help: ## Show this help.
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

check: format vet lint build test ## Format, vet, lint, build and test with the race detector.

format:
	@out=$$(gofmt -l cmd pkg schemas); if [ -n "$$out" ]; then echo "gofmt would change:"; echo "$$out"; exit 1; fi

vet:
	go vet ./...

$(GOLANGCI):
	GOBIN=$(BIN) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv $(BIN)/golangci-lint $(GOLANGCI)

lint: $(GOLANGCI)
	$(GOLANGCI) run ./...

build:
	CGO_ENABLED=0 go build ./...

test: ## Run all tests with the race detector, and all stories without it.
	go test -race -timeout 14m ./...
	go test -parallel 8 ./pkg/story

bench: ## Run the benchmarks.
	go test -run '^$$' -bench . -benchmem ./...

demo: ## Play the bundled conversations.
	go run ./cmd/mnemond demo
