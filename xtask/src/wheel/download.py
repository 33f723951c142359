"""Downloads a file and checks it: download.py URL FILE BYTES SHA256.

What an earlier try left of FILE is not asked for again. What is there after an error is the
beginning of the file, or nothing.
"""

import hashlib
import http.client
import os
import sys
import time
import urllib.request

TRIES = 20  # in a row that bring nothing
url, path, size, sha256 = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]


def there():
    return os.path.getsize(path) if os.path.exists(path) else 0


def show(done, end):
    if sys.stderr.isatty():
        print(f"\r  {done // 1_000_000} of {size // 1_000_000} MB", end=end, file=sys.stderr)


def fetch():
    """Appends to the file until the connection ends."""
    done = there()
    request = urllib.request.Request(url, headers={"Range": f"bytes={done}-"} if done else {})
    with urllib.request.urlopen(request, timeout=60) as answer:
        goes_on = (answer.headers.get("Content-Range") or "").startswith(f"bytes {done}-")
        done = done if goes_on else 0
        with open(path, "ab" if goes_on else "wb") as file:
            while block := answer.read(1 << 20):
                file.write(block)
                done += len(block)
                show(done, "")


if there() > size:
    os.remove(path)
tries = TRIES
while there() < size:
    before, reason = there(), "the connection ended early"
    try:
        fetch()
    except (OSError, http.client.HTTPException) as error:
        reason = error
        if getattr(error, "code", None) == 416:  # the file there has no such place
            os.remove(path)
    tries = TRIES if there() > before else tries - 1
    # An answer that says no stays the same; so does a host that cannot be found.
    if tries == 0 or there() == 0:
        sys.exit(f"{there()} of {size} bytes: {reason}")
    if there() < size:
        time.sleep(1)
show(there(), "\n")
with open(path, "rb") as file:
    digest = hashlib.sha256()
    while block := file.read(1 << 20):
        digest.update(block)
if there() != size or digest.hexdigest() != sha256:
    found = there()
    os.remove(path)
    sys.exit(f"{found} bytes, sha256 {digest.hexdigest()}: not the {size} bytes of {sha256}")
