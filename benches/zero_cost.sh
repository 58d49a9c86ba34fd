#!/usr/bin/env bash
# Fails unless every composition runs as many instructions as its hand-written twin, within 1 %. Needs valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."

binary=$(cargo bench -q --bench zero_cost --no-run --message-format=json-render-diagnostics |
  grep -o '"executable":"[^"]*zero_cost[^"]*"' | cut -d'"' -f4)
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT
valgrind -q --tool=callgrind --callgrind-out-file="$counts" "$binary" count 2>/dev/null

# Lines such as `1,234 (5.6%)  …:zero_cost::twins::then::composed […]`.
callgrind_annotate --inclusive=yes --threshold=100 "$counts" | awk '
  match($0, /twins::[a-z_]+::(composed|by_hand)/) {
    split(substr($0, RSTART, RLENGTH), path, "::")
    gsub(",", "", $1)
    count[path[2], path[3]] = $1
    if (!(path[2] in seen)) { seen[path[2]]; names[++twins] = path[2] }
  }
  END {
    print "| composition | composed, instructions a sample | by hand | ratio |"
    print "|---|--:|--:|--:|"
    for (i = 1; i <= twins; i++) {
      name = names[i]; ours = count[name, "composed"]; hand = count[name, "by_hand"]
      if (!ours || !hand) { printf "%s: a twin is missing\n", name; failed = 1; continue }
      ratio = ours / hand
      verdict = ratio > 1.01 || ratio < 0.99 ? " (more than 1 % apart)" : ""
      if (ratio > 1.01) failed = 1
      printf "| %s | %.2f | %.2f | %.3f%s |\n", name, ours / 20000, hand / 20000, ratio, verdict
    }
    if (twins < 12) { printf "only %d twins were counted\n", twins; failed = 1 }
    exit failed
  }'
