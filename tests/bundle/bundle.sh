#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bundle.sh BUNDLE SOURCE: the bundle, moved to a folder of its own, lists, examines the machine and runs an experiment in
# an empty environment; needs no library but the C library's, none newer than 2.35 (benchmarks also the C++ library,
# programs for MPI also that); has the licences; and is, packed, small enough to be sent about.
set -eu
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cp -R "$1" "$room/bundle"
cd "$room"
fail() { echo "bundle: $*" >&2; exit 1; }

for program in bundle/bin/* bundle/gpu/*; do
  [ -e "$program" ] || continue # a build without CUDA
  known='linux-vdso|ld-linux|lib(c|m|dl|rt|pthread)\.so'
  needed=ldd
  case $program in
    *benchmark*) known="$known|libbenchmark[^ ]* => $room/|lib(stdc\+\+|gcc_s)\.so" ;;
    */pivotlab-mpi | */mpi_program) known="$known|libmpi\.so" needed=itself ;; # not what MPI needs
  esac
  itself() { objdump -p "$1" | grep NEEDED; }
  others=$($needed "$program" | grep -vE "$known" || true)
  [ -z "$others" ] || fail "$program needs $others"
  newest=$(objdump -T "$program" | grep -o 'GLIBC_2\.[0-9]*' | sort -u -t. -k2n | tail -1)
  [ "${newest#GLIBC_2.}" -le 35 ] || fail "$program needs $newest"
done
for paper in LICENSE THIRD_PARTY.md; do [ -s "bundle/$paper" ] || fail "has no $paper"; done
[ "$(tar cz bundle | wc -c)" -lt 50331648 ] || fail "is larger than 48 MiB, packed"

pivotlab() { env -i bundle/bin/pivotlab "$@"; }
pivotlab list >list.txt
pivotlab doctor >doctor.txt
grep -q "$room/bundle/share/pivotlab" doctor.txt || fail "takes its resources from elsewhere"
! grep -q "$2" doctor.txt || fail "knows the source tree"
pivotlab run quick --backend host --filter "n=64,type=d,solver=DHZ*" --quiet >run.txt
grep -q 'PASSED$' run.txt || fail "run: $(cat run.txt)"
zcat runs/quick/records.jsonl.gz | grep -q '^{"key":'
