#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs check.py and all scripts of robustness/ with $PIVOTLAB_BIN and $PYTHON (a Python with pivotlab[experiments], mpmath
# and python-flint).
cd "$(dirname "$0")" || exit 2
: "${PIVOTLAB_BIN:?set PIVOTLAB_BIN to the command pivotlab}" "${PYTHON:?set PYTHON to a Python with the module pivotlab}"
"$PYTHON" check.py; numbers=$?
robustness/check.sh; robustness=$?
[ $numbers = 0 ] && [ $robustness = 0 ]
