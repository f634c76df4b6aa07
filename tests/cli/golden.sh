#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# golden.sh PROGRAM SOURCE FILE [--update]
#
# FILE holds a session: lines "$ command" followed by what the command prints (stdout and stderr) and, if it is not 0,
# its exit code as "[2]". Every command runs again, in an empty directory that the session's commands share; the test
# passes when the session comes out as written. --update writes it anew instead. Lines "# …" are headings.
set -u
program=$1 source=$2 file=$3 update=${4:-}

export PIVOTLAB_HOME="$source" LC_ALL=C.UTF-8 OMP_NUM_THREADS=2 CUDA_VISIBLE_DEVICES=
unset NO_COLOR PIVOTLAB_DATA PIVOTLAB_PYTHON 2>/dev/null
pivotlab() { "$program" "$@"; }

# edit RUN SCRIPT: changes the records of a run, a line each, by sed.
edit() {
  zcat "$1/records.jsonl.gz" | sed "$2" | gzip >"$room/edited" && mv "$room/edited" "$1/records.jsonl.gz"
}

# retime RUN MEDIAN SAMPLES: gives every record of a run these times and nothing that tells of disturbances, so that
# comparisons come out the same everywhere.
retime() {
  edit "$1" "s/\"samples\":\[[^]]*\]/\"samples\":[$3]/g; s/\"median\":[-+.0-9e]*/\"median\":$2/g
    s/\"flags\":\[[^]]*\]/\"flags\":[]/g
    s/\"crowded_samples\":[0-9]*/\"crowded_samples\":0/; s/\"\(core_s\|retaken_s\)\":\[[^]]*\]/\"\1\":[]/; s/\"disturbed_samples\":[0-9]*/\"disturbed_samples\":0/"
}

# flag RUN FLAGS: likewise these flags, as "noisy","loaded". Remarks on flags are compared from here on; before, they
# depend on what else the machine does.
flag() {
  : >"$room/flagged"
  edit "$1" "s/\"flags\":\[[^]]*\]/\"flags\":[$2]/g"
}

# within NAME=LOW..HIGH …: in lines "NAME   number" and in CSV columns of that name, a number from LOW to HIGH becomes
# "LOW..HIGH"; any other stays, so that the session differs. For magnitudes of rounding errors, which are tested but not
# to the last digit.
within() {
  bounds=$(printf '%s\n' "$@") awk '
    function bounded(name, text) {
      if (!(name in low) || text !~ /^[0-9.]+(e[-+][0-9]+)?$/ || text + 0 < low[name] + 0 || text + 0 > high[name] + 0)
        return text
      return low[name] ".." high[name]
    }
    BEGIN {
      count = split(ENVIRON["bounds"], all, "\n")
      for (k = 1; k <= count; ++k) {
        split(all[k], part, /=|\.\./)
        low[part[1]] = part[2]
        high[part[1]] = part[3]
      }
    }
    /,/ {
      fields = split($0, field, ",")
      for (k = 1; k <= fields; ++k) {
        if (field[k] in low) heading[k] = field[k]
        printf "%s%s", (k > 1 ? "," : ""), (k in heading ? bounded(heading[k], field[k]) : field[k])
      }
      print ""
      next
    }
    {
      name = $0
      sub(/ +[^ ]+$/, "", name)
      if (name in low) sub(/[^ ]+$/, bounded(name, $NF))
      print
    }'
}

# on_terminal COMMAND…: what the command writes with a terminal as its standard streams; lines that are rewritten stand
# below each other.
on_terminal() {
  script -qec "$*" /dev/null </dev/null | sed 's/\r\x1b\[K/\n/g; s/\r//g' | sed '/^$/d'
}

room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT
mkdir "$room/work" && cd "$room/work" || exit 1

started=
while IFS= read -r line <&3; do
  case $line in
    '$ '*)
      started=yes
      printf '%s\n' "$line"
      (eval "${line#??}") >"$room/output" 2>&1 3<&- </dev/null
      code=$?
      [ -e "$room/flagged" ] || sed -i '/^[0-9]* of [0-9]* times \(is\|are\) .* (~)$/d' "$room/output"
      # Why there is no GPU depends on the build.
      sed "/^backend host: /d; s/backend 'cuda': [^\"]*/backend 'cuda': why/; s/\(cuSOLVER\|baseline 'cusolver:[^']*'\): [^\"]*/cuSOLVER: why/; s|$source|<source>|g; s|$room/work|<here>|g" "$room/output"
      [ $code -eq 0 ] || printf '[%d]\n' $code
      ;;
    '# '*)
      [ -z "$started" ] || echo
      printf '%s\n\n' "$line"
      ;;
  esac
done 3<"$file" >"$room/session"

if [ "$update" = --update ]; then
  cp "$room/session" "$file"
else
  diff -u "$file" "$room/session"
fi
