#!/bin/sh
# sentimini 1.0.0 (PyPI, CPython 3.11), a small sentiment analyser that "supports negations". Words are cut at the
# apostrophe, and "don" and "t" are no negations: "I don't love this" is as positive as "I love this". A "not" lasts
# until the next word of its lists, also beyond the full stop: in "I will not come. Anna is wonderful" she is negative,
# and so is "No, I love it". The README's own example, "I really love this!", has 0.48 instead of 0.8.
# Source: tokenize and score in sentimini/core.py of the wheel; the README's features and usage. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "sentimini==1.0.0"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from sentimini import score

for text in (
    "I really love this!",
    "I love this",
    "I don't love this",
    "I do not love this",
    "No, I love it",
    "Anna is wonderful",
    "I will not come. Anna is wonderful",
):
    result = score(text)
    print(f"{text}: {result['polarity']} {result['score']}")
PY
cat >expected <<'TEXT'
I really love this!: positive 0.48
I love this: positive 0.2
I don't love this: positive 0.2
I do not love this: negative -0.2
No, I love it: negative -0.2
Anna is wonderful: positive 0.2
I will not come. Anna is wonderful: negative -0.2
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
