#!/usr/bin/env bash
# Draws docs/pictures/*.svg for light and dark pages: of the .dot files beside them with Graphviz, and of records of the
# benchmark (NAME.json, drawn as NAME.gp says) with gnuplot: pictures.sh. A test compares each picture's mark with its
# source.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
command -v dot >/dev/null || { echo "pictures: there is no dot here: apt install graphviz" >&2; exit 1; }
command -v gnuplot >/dev/null || { echo "pictures: there is no gnuplot here: apt install gnuplot-nox" >&2; exit 1; }

# Rules of a style sheet win over the attributes that dot writes.
style='<style>
text { fill: #1f2328 }
.graph > polygon { fill: none; stroke: none }
.node path, .node polygon { fill: #f6f8fa; stroke: #57606a }
.main path { fill: #ddf4ff; stroke: #0969da }
.way path { fill: #dafbe1; stroke: #1a7f37 }
.outside path { fill: none; stroke: #8c959f }
.edge path { stroke: #57606a }
.edge polygon { fill: #57606a; stroke: #57606a }
.cluster polygon, .cluster path { fill: none; stroke: #d0d7de }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.node path, .node polygon { fill: #161b22; stroke: #8b949e }
.main path { fill: #0c2d6b; stroke: #58a6ff }
.way path { fill: #04260f; stroke: #3fb950 }
.outside path { fill: none; stroke: #6e7681 }
.edge path { stroke: #8b949e }
.edge polygon { fill: #8b949e; stroke: #8b949e }
.cluster polygon, .cluster path { fill: none; stroke: #30363d }
}
</style>'

for source in "$root"/docs/pictures/*.dot; do
    mark=$(sha256sum "$source" | cut -d ' ' -f 1)
    dot -Tsvg "$source" | sed '/^<!DOCTYPE/,/>$/d; /^<!-- /d; /^ *-->/d' |
        awk -v style="$style" -v mark="$mark" '
            { print }
            /^ *viewBox/ && !done { print "<!-- " mark " -->"; print style; done = 1 }' >"${source%.dot}.svg"
done

# medians RECORDS: peer, bytes, and the median over the rounds in which the two cores were near each other.
medians() {
    sed -n 's/.*"peer":"\([^"]*\)".*"size":\([0-9]*\).*"p50":\([0-9.]*\).*"state":"near".*/\1 \2 \3/p' "$1" |
        sort -k 1,1 -k 2,2n -k 3,3n |
        awk '
            function tell() { if (n) print key, n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2 }
            $1 " " $2 != key { tell(); key = $1 " " $2; n = 0 }
            { v[++n] = $3 }
            END { tell() }'
}

chart_style='<style>
text { fill: #1f2328; stroke: none }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
path[stroke="black"] { stroke: #8b949e }
path[stroke="gray"] { stroke: #30363d }
}
</style>'

for source in "$root"/docs/pictures/*.gp; do
    records=${source%.gp}.json
    mark=$(cat "$source" "$records" | sha256sum | cut -d ' ' -f 1)
    points=$(mktemp)
    medians "$records" >"$points"
    gnuplot -e "points='$points'" "$source" |
        awk -v style="$chart_style" -v mark="$mark" '
            /^<title>|^<desc>/ { next }
            { print }
            /^>$/ && !done { print "<!-- " mark " -->"; print style; done = 1 }' >"${source%.gp}.svg"
    rm -f "$points"
done
