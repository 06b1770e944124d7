#!/bin/sh
# shivlite 0.2.0 (PyPI, CPython 3.11), a "chat compressor": common phrases become codes of two signs, and decode gives
# the original back. Which code a phrase has depends on the order of a set, which is another in each process of Python:
# what one run has written, the next reads as other words. "I don't know if Ben comes" says there that "this means that
# Ben comes". And codes are no English words, but numbers: nothing marks a number that somebody wrote, so each one of
# two digits from 00 to 49 comes back as a phrase, in "We have 12 cups" and "Flight LH 07", too, in which encode has
# changed nothing.
# Source: the docstring of shivlite/__init__.py of the wheel: "original = shivlite.decode(compressed)", "English word
# collision avoidance (2-letter English words never used as codes)". The seeds are set here for the same output each
# time. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "shivlite==0.2.0"
cd "$folder"
cat >write.py <<'PY'
import shivlite

for text in ("I don't know if Ben comes", "We have 12 cups", "Flight LH 07", "Anna is 42", "We have 96 cups"):
    print(shivlite.encode(text))
PY
cat >read.py <<'PY'
import sys

import shivlite

for line in sys.stdin:
    print(shivlite.decode(line.rstrip("\n")))
PY
PYTHONHASHSEED=1 venv/bin/python write.py >stored
for seed in 1 2; do
    echo "read with seed $seed:"
    PYTHONHASHSEED=$seed venv/bin/python read.py <stored
done | tee seen
venv/bin/python - <<'PY' | tee -a seen
import shivlite

numbers = [f"{number:02}" for number in range(100)]
changed = [number for number in numbers if shivlite.decode(number) != number]
print(f"numbers that come back as words: {changed[0]} to {changed[-1]}, {len(changed)}")
PY
cat >expected <<'TEXT'
read with seed 1:
I don't know if Ben comes
We have thank you for your time cups
Flight LH i will check and let you know
Anna is as well as
We have 96 cups
read with seed 2:
this means that Ben comes
We have hope you are doing well cups
Flight LH that is exactly what I needed
Anna is up to date
We have 96 cups
numbers that come back as words: 00 to 49, 50
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
