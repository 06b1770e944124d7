#!/bin/sh
# anynlp 0.2.4 (PyPI, CPython 3.11), language without models. Its sentiment lists don't, can't and isn't as words of denial, but a
# text is cut at its apostrophes first: "I do not love this" is negative, and "I don't love this" is as good as love. What is
# left of "won't" is "won", so who won't come is glad. One word in between ends a "not" too: that it was not good is negative,
# and that it was not a good evening as good as a good one. The README's score of -0.4 is 0.3 here, of a scale from 0 to 1.
# Source: its README ("AFINN lexicon with negation handling"; "I absolutely do not love this product", negative, -0.4);
# _NEGATION_WORDS of anynlp/backends/rules.py, which lists the short forms. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "anynlp==0.2.4"
cd "$folder"
venv/bin/python - >seen <<'PY'
import anynlp

for text in (
    "I absolutely do not love this product",
    "I love this",
    "I do not love this",
    "I don't love this",
    "I cannot recommend Ben",
    "I can't recommend Ben",
    "Ben is not nice",
    "Ben isn't nice",
    "It was not good",
    "It was not a good evening",
    "It was a good evening",
    "I will not come",
    "I won't come",
):
    result = anynlp.sentiment(text)
    print(f"{text}: {result.label} {result.score:.2f}")
PY
cat seen
cat >expected <<'TEXT'
I absolutely do not love this product: negative 0.30
I love this: positive 0.90
I do not love this: negative 0.30
I don't love this: positive 0.90
I cannot recommend Ben: negative 0.35
I can't recommend Ben: positive 0.80
Ben is not nice: negative 0.40
Ben isn't nice: positive 0.70
It was not good: negative 0.35
It was not a good evening: positive 0.80
It was a good evening: positive 0.80
I will not come: neutral 0.00
I won't come: positive 0.80
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
