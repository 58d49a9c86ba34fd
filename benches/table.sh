#!/usr/bin/env bash
# Runs the benches that have rows of the table and prints them as one Markdown table, or reads what they printed:
#   benches/table.sh                      all rows, from scratch, in a few minutes
#   cargo bench --bench dice | benches/table.sh -
set -euo pipefail
cd "$(dirname "$0")/.."

rows() {
  if [ "${1:-}" = "-" ]; then
    cat
  else
    # Without criterion's own estimates, which take a second and a half for each contestant.
    ROWS_ONLY=1 cargo bench -q --bench coins --bench lanes --bench dice --bench choosers --bench recycler --bench transmuter
  fi
}

echo "$(lscpu | sed -n 's/^Model name: *//p'), $(rustc --version | cut -d' ' -f1-2), $(date -I)"
echo
rows "$@" | awk -F'|' '
  BEGIN {
    print "| work | machine or peer | ns a sample | bits a sample | ours/this |"
    print "|---|---|--:|--:|--:|"
  }
  /^row: / { work = substr($0, 6); next }
  /^\| .* ns \| .* bits \| .* \|$/ {
    gsub(/ ns| /, "", $3); gsub(/ bits| /, "", $4); gsub(/ /, "", $5)
    printf "| %s |%s| %s | %s | %s |\n", work, $2, $3, $4, $5
    rows++
  }
  END { if (!rows) { print "no row was read" > "/dev/stderr"; exit 1 } }'
