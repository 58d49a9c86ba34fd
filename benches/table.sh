#!/usr/bin/env bash
# Turns what the benches print into one Markdown table: `cargo bench --bench coins --bench dice | benches/table.sh`.
set -euo pipefail

awk -F'|' '
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
