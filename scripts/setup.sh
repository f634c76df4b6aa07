# SPDX-License-Identifier: BSD-3-Clause
# First steps of ./test and ./reproduce, which source this file: packages, Python environment, configured and built tree.
# Every step is skipped if its result exists. Needs Debian 12, and root (or sudo) only if packages are missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

PACKAGES="g++ cmake ninja-build libboost-dev libcli11-dev libeigen3-dev libfmt-dev libhdf5-dev liblapacke-dev libopenblas-dev
  libxxhash-dev nlohmann-json3-dev zlib1g-dev libopenmpi-dev openmpi-bin libgtest-dev librapidcheck-dev libbenchmark-dev python3-dev python3-venv"

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

# install_packages NAME…: installs missing packages.
install_packages() {
  local missing=()
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  say "Installing ${missing[*]}"
  local as_root=()
  ((EUID == 0)) || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Makes the Python environment in .venv, again if the pinned requirements have changed.
python_environment() {
  unset PYTHONDONTWRITEBYTECODE # which makes every process compile all modules that it imports
  local stamp=.venv/requirements.stamp
  cmp -s analysis/requirements.txt "$stamp" 2>/dev/null && return 0
  say "Making the Python environment"
  /usr/bin/python3 -I -m venv .venv
  .venv/bin/pip install --quiet --disable-pip-version-check --no-compile -r analysis/requirements.txt
  echo "$PWD/analysis" >"$(.venv/bin/python -I -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/pivotlab_analysis.pth"
  cp analysis/requirements.txt "$stamp"
}

# configure PRESET METHODS: if that is not done yet.
configure() {
  [[ -f build/$1/build.ninja ]] && grep -q "^PIVOTLAB_METHODS:STRING=$2\$" "build/$1/CMakeCache.txt" && return 0
  say "Configuring $1"
  cmake --preset "$1" -DPIVOTLAB_METHODS="$2" >/dev/null
}

# build PRESET [TARGET…]: builds all methods.
build() {
  configure "$1" all
  compile "$@"
}

# compile PRESET [TARGET…]: builds what is configured.
compile() {
  local preset=$1
  shift
  say "Building $preset"
  cmake --build --preset "$preset" -- -j "$(nproc)" --quiet ${@:+"$@"} >&2
}
