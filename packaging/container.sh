#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs pivotlab on Debian 12 from its sources, for an image: packaging/container.sh PREFIX. Library, programs and notices of
# licences go to PREFIX, the Python package with its pivotlab to PREFIX/venv. Removes nothing.
set -euo pipefail
prefix=$1
source "$(dirname "$0")/../scripts/setup.sh"

# shellcheck disable=SC2086
install_packages $PACKAGES git ca-certificates
python_environment
cmake --preset release -D PIVOTLAB_BUILD_TESTS=OFF -D PIVOTLAB_BUILD_BENCHMARKS=OFF
build release
cmake --install build/release --prefix "$prefix" --strip
/usr/bin/python3 -m venv "$prefix/venv"
"$prefix/venv/bin/pip" install --no-cache-dir "$(scripts/wheel build/wheels --built)[experiments]"

for notice in LICENSE THIRD_PARTY.md; do [[ -s $prefix/share/doc/pivotlab/$notice ]]; done
"$prefix/venv/bin/pivotlab" sweep gsvd -n 32
