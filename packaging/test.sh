#!/usr/bin/env bash
# Installs what is missing, builds the release preset and runs every test. Arguments go to ctest: packaging/test.sh -R parity
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

install_packages "${build_packages[@]}" "${desktop_packages[@]}" "${test_packages[@]}"
configure ON
switch_desktop_on
build_targets
cd "$build"
exec ctest --output-on-failure -j"$(nproc)" "$@"
