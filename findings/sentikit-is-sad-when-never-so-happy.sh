#!/bin/sh
# sentikit 0.1.0 in its lite mode (PyPI, CPython 3.11), moods of short texts, "actually fixing their known failure modes". "I have
# never been so happy" and "Couldn't be better" are negative: the never and the not turn the good word over. "I can't wait to see
# you!" and "no problem" have no mood. What follows a but is to count more, and counts only where it has a word of its list:
# "He is not happy, but I am" is as sad as its first half. What is over is still bad: "the worst is over" is the worst there is,
# and "Nobody was unhappy" is unhappy, though nobody is one of the words that deny.
# Source: its README ("Contrastive discourse: Detects the marker, upweights the post-marker clause"; "Negation scope: ...
# clause-bounded fallback"; "post-"but" clause dominates"). Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "sentikit==0.1.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from sentikit import Analyzer

analyzer = Analyzer()
for text in (
    "I have never been happy",
    "I have never been so happy",
    "It couldn't be better",
    "I can't wait to see you!",
    "no problem",
    "He is not happy",
    "He is not happy, but I am",
    "Nobody was unhappy",
    "The worst is over",
):
    mood = analyzer.analyze(text)
    print(f"{text}: {mood.label} {mood.compound:+.2f}, negation seen: {mood.negation_applied}")
PY
cat seen
cat >expected <<'TEXT'
I have never been happy: negative -0.51, negation seen: True
I have never been so happy: negative -0.63, negation seen: True
It couldn't be better: negative -0.36, negation seen: True
I can't wait to see you!: neutral +0.00, negation seen: True
no problem: neutral +0.01, negation seen: True
He is not happy: negative -0.51, negation seen: True
He is not happy, but I am: negative -0.35, negation seen: True
Nobody was unhappy: negative -0.50, negation seen: False
The worst is over: negative -0.85, negation seen: False
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
