#!/bin/sh
# Takes a picture of a TensorBoard page.
#
#   xtask/screenshot.sh LOGDIR OUT.png [PAGE] [WIDTH,HEIGHT]
#
# PAGE is scalars (default), timeseries, hparams, text or custom_scalars. Wants the Python that
# `cargo xtask test` sets up (or CHUNKEVAL_PYTHON), and Chromium (or CHROMIUM).
set -eu

logdir=$1
out=$2
page=${3:-scalars}
size=${4:-1600,1150}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
python=${CHUNKEVAL_PYTHON:-$root/target/venv/bin/python}
[ -x "$python" ] || { echo "no Python with TensorBoard at $python" >&2; exit 1; }
chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)} ||
    { echo "no Chromium found (Debian: apt-get install chromium)" >&2; exit 1; }

scratch=$(mktemp -d)
server=
stop() {
    # By its id, and waited for: nothing stays behind.
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$scratch"
}
trap stop EXIT
trap 'exit 1' INT TERM

# A port that is free now; TensorBoard ends with an error should somebody take it first.
port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$python" -m tensorboard.main --logdir "$logdir" --host 127.0.0.1 --port "$port" \
    --reload_interval 5 >"$scratch/tensorboard.log" 2>&1 &
server=$!

# It is ready when it has found the runs.
tries=0
until "$python" - "$port" <<'PYTHON' 2>/dev/null
import json, sys, urllib.request
with urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/data/runs", timeout=5) as answer:
    sys.exit(0 if json.load(answer) else 1)
PYTHON
do
    tries=$((tries + 1))
    if [ "$tries" -gt 60 ] || ! kill -0 "$server" 2>/dev/null; then
        echo "TensorBoard found no run in $logdir:" >&2
        cat "$scratch/tensorboard.log" >&2
        exit 1
    fi
    sleep 1
done

# Virtual time lets the page ask for its data and draw before the picture is taken.
timeout 180 "$chromium" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir="$scratch/profile" --hide-scrollbars --window-size="$size" \
    --run-all-compositor-stages-before-draw --virtual-time-budget=60000 \
    --screenshot="$scratch/page.png" \
    "http://127.0.0.1:$port/#$page" >"$scratch/chromium.log" 2>&1 ||
    { cat "$scratch/chromium.log" >&2; exit 1; }
[ -s "$scratch/page.png" ] || { cat "$scratch/chromium.log" >&2; exit 1; }
mv "$scratch/page.png" "$out"
