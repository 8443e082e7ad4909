# What can be done here; each target is one line, the work is in scripts/.
.PHONY: run build dist release test check bench sanitize fuzz clean

run:      ; @scripts/run
build:    ; @scripts/build --progress
dist:     ; @scripts/dist
release:  ; @scripts/release
test:     ; @scripts/test
check:    ; @scripts/check
bench:    ; @scripts/bench
sanitize: ; @scripts/sanitize
fuzz:     ; @scripts/fuzz
clean:    ; rm -rf .build .build-* .venv dist
