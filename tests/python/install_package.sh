#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# install_package.sh PYTHON SOURCE FRESH: makes a new virtual environment FRESH, which sees the packages of PYTHON's, and
# installs the wheel of the finished release build into it, without a network.
set -eu
python=$1 source=$2 fresh=$3
rm -rf "$fresh"
"$python" -I -m venv "$fresh"
purelib='import sysconfig; print(sysconfig.get_path("purelib"))'
"$python" -I -c "$purelib" >"$("$fresh/bin/python" -I -c "$purelib")/requirements.pth"
wheel=$("$source/scripts/wheel" "$fresh/wheel" --built)
"$fresh/bin/python" -I -m pip install "$wheel" --quiet --disable-pip-version-check --no-index --no-deps
