# Sonde. `make help` lists what can be made; every target installs the Debian packages that it needs.

PREFIX ?= /usr/local
DESTDIR ?=
UDEVDIR ?= /lib/udev/rules.d

# How much of the repeated tests runs, in percent of their full count.
export SONDE_REPEAT_PERCENT ?= 10
# How long `make soak` plays a dense take.
SOAK ?= 1h

SHELL := /bin/bash
RELEASE := swift build -c release --static-swift-stdlib -Xlinker --gc-sections -Xlinker -s
SONDE := .build/release/sonde
SOURCES := Package.swift $(shell find Sources -type f)

BIN := $(DESTDIR)$(PREFIX)/bin
SHARE := $(DESTDIR)$(PREFIX)/share
MAPPINGS := $(wildcard mappings/*.map mappings/*.take)
CSDS := $(wildcard csd/*.csd)
DOCUMENTS := $(wildcard README.md LICENSE)
INSTALLED := $(BIN)/sonde $(DESTDIR)$(UDEVDIR)/70-sonde.rules \
  $(addprefix $(SHARE)/sonde/,$(MAPPINGS) $(CSDS)) $(addprefix $(SHARE)/doc/sonde/,$(DOCUMENTS)) \
  $(SHARE)/man/man1/sonde.1 $(SHARE)/bash-completion/completions/sonde \
  $(SHARE)/zsh/site-functions/_sonde $(SHARE)/fish/vendor_completions.d/sonde.fish

.PHONY: help build demo test unit lab soak rtsan conformance bench format install uninstall clean
.DEFAULT_GOAL := build

help:
	@echo 'make            the same as make build'
	@echo 'make build      build $(SONDE): static, without symbols'
	@echo 'make demo       play mappings/tilt.take, into the sound card or into demo.wav'
	@echo 'make test       everything below, the release build and the format; ends with the counts'
	@echo 'make unit       the tests that need no kernel support'
	@echo 'make lab        the device suites, in a virtual machine'
	@echo 'make soak       unit and lab with every repeated thing at its full count, make rtsan, then SOAK ($(SOAK)) of dense input'
	@echo 'make rtsan      unit, lab and a long take with RealtimeSanitizer: nothing on the realtime threads may allocate or lock'
	@echo 'make conformance  render the CSDs of the package csound-doc with csound and with sonde, and compare the samples'
	@echo 'make bench      measure, beside peers where they are'
	@echo 'make format     format the sources'
	@echo 'make install    install under PREFIX ($(PREFIX)), staged in DESTDIR; udev rules in UDEVDIR ($(UDEVDIR))'
	@echo 'make uninstall  remove what make install installed, with the same variables'
	@echo 'make clean      remove what was built'

build: $(SONDE)

# The compiler leaves the program's time alone when the program would be the same.
$(SONDE): $(SOURCES)
	@.ci/prepare swift build
	$(RELEASE) --product sonde
	@touch $@

DEMO := --map mappings/tilt.map --take mappings/tilt.take
demo: build
	@if grep -q '^ *[0-9]' /proc/asound/cards 2>/dev/null && $(SONDE) play $(DEMO); then :; else \
	  echo 'No sound card can be played here, so the demonstration goes to demo.wav.'; \
	  $(SONDE) render $(DEMO) --output demo.wav; \
	fi

test:
	@.ci/test unit lab release format

unit:
	@.ci/test unit

lab:
	@.ci/test lab

soak: export SONDE_REPEAT_PERCENT = 100
soak:
	@.ci/test unit lab
	@.ci/rtsan
	@.ci/prepare swift build bench
	$(RELEASE) --product sonde-bench
	.build/release/sonde-bench --for $(SOAK) soak

rtsan:
	@.ci/rtsan

conformance:
	@.ci/conformance

# Whole programs are measured too, so sonde itself is built.
bench: build
	@.ci/prepare bench
	$(RELEASE) --product sonde-bench
	.build/release/sonde-bench

format:
	@.ci/prepare swift
	swift format -i -r Sources Tests Package.swift

install: build
	install -D -m 755 $(SONDE) $(BIN)/sonde
	install -D -m 644 udev/70-sonde.rules $(DESTDIR)$(UDEVDIR)/70-sonde.rules
	for file in $(MAPPINGS) $(CSDS); do install -D -m 644 $$file $(SHARE)/sonde/$$file || exit; done
	for file in $(DOCUMENTS); do install -D -m 644 $$file $(SHARE)/doc/sonde/$$file || exit; done
	install -d $(SHARE)/man/man1 $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions \
	  $(SHARE)/fish/vendor_completions.d
	$(SONDE) help --man > $(SHARE)/man/man1/sonde.1
	$(SONDE) help --completion bash > $(SHARE)/bash-completion/completions/sonde
	$(SONDE) help --completion zsh > $(SHARE)/zsh/site-functions/_sonde
	$(SONDE) help --completion fish > $(SHARE)/fish/vendor_completions.d/sonde.fish
	@[[ -n "$(DESTDIR)" ]] || ! udevadm control --reload 2>/dev/null || \
	  echo 'The udev rules are in force for controllers that are plugged in from now on.'

uninstall:
	rm -f $(INSTALLED)
	@rmdir $(SHARE)/sonde/{mappings,csd} $(SHARE)/sonde $(SHARE)/doc/sonde 2>/dev/null || true

clean:
	rm -rf .build .build-* demo.wav
