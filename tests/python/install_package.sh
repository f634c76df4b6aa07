#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# install_package.sh PYTHON SOURCE BUILD FRESH: makes a new virtual environment FRESH, which sees the packages of PYTHON's, and
# installs the Python package of a finished build into it.
set -eu
python=$1 source=$2 build=$3 fresh=$4
rm -rf "$fresh"
"$python" -I -m venv "$fresh"
purelib='import sysconfig; print(sysconfig.get_path("purelib"))'
"$python" -I -c "$purelib" >"$("$fresh/bin/python" -I -c "$purelib")/requirements.pth"
"$fresh/bin/python" -I -m pip install "$source" --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation \
  --config-settings build-dir="$fresh/build" --config-settings cmake.define.PIVOTLAB_BUILD="$build"
