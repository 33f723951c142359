#!/bin/sh
# Draws what the HTML report looks like, its two halves side by side: docs/report.png.
#
#     cargo build --release -p chunkeval-cli
#     PATH="target/release:$PATH" docs/report.sh
#
# Wants Chromium (or CHROMIUM). Run it in the root of the repository.
set -eu

chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)} ||
    { echo "no Chromium found (Debian: apt-get install chromium)" >&2; exit 1; }
out=$PWD/docs/report.png
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM

chunkeval llm docs/sample/answers.jsonl --on-unreadable count --ci --errors 2 --format html \
    >"$scratch/report.html"
half() {
    printf '<div style="float:left;overflow:hidden;width:1000px;height:%spx">' "$height"
    printf '<iframe src="report.html" scrolling="no" style="border:0;width:1000px;height:4000px;margin-top:-%spx">' "$1"
    printf '</iframe></div>'
}
height=1900
{
    printf '<body style="margin:0">'
    half 0
    half "$height"
} >"$scratch/halves.html"
"$chromium" --headless --no-sandbox --hide-scrollbars --window-size="2000,$height" \
    --screenshot="$out" "file://$scratch/halves.html" >/dev/null 2>&1
