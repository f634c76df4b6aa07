#!/bin/sh
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

# retime RUN MEDIAN SAMPLES: gives every record of a run these times, so that comparisons come out the same everywhere.
retime() {
  for record in "$1"/records/*.json; do
    tr -d '\n' <"$record" >"$record.line" &&
      sed "s/\"samples\": *\[[^]]*\]/\"samples\": [$3]/g; s/\"median\": *[-+.0-9e]*/\"median\": $2/g" \
        "$record.line" >"$record" && rm "$record.line"
  done
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
      # Why there is no GPU depends on the build.
      sed "/^backend host: /d; s|$source|<source>|g; s|$room/work|<here>|g" "$room/output"
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
