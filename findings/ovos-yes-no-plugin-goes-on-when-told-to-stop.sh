#!/bin/sh
# ovos-yes-no-plugin 0.3.0 (PyPI, CPython 3.11), by which an assistant reads the answer to its question, in 20 languages.
# "Please" is a mild yes, and nothing of "please stop", "cancel it, please" or "leave it, please" is a no, so that all three are
# True. The last word that it knows is the answer, also where it is none: "yes, no problem", "yes, I have no objections", "yes,
# if it is not too late" and "yes please, and no sugar" are False. In German and French "ja, kein Problem" and "oui, pas de
# problème" are True.
# Source: its README, "it returns True (yes), False (no), or None (unclear)", "No recognised word: return None"; the rule of the
# last word stands there too, for "yes, but actually, no". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "ovos-yes-no-plugin==0.3.0"
cd "$folder"
venv/bin/python - 2>log >seen <<'PY'
from ovos_yes_no import HeuristicYesNoEngine

engine = HeuristicYesNoEngine()
for language, answer in (
    ("en-US", "yes, but actually, no"),
    ("en-US", "please stop"),
    ("en-US", "cancel it, please"),
    ("en-US", "leave it, please"),
    ("en-US", "yes, no problem"),
    ("en-US", "yes, I have no objections"),
    ("en-US", "yes, if it is not too late"),
    ("en-US", "yes please, and no sugar"),
    ("de-DE", "ja, kein Problem"),
    ("fr-FR", "oui, pas de problème"),
):
    print(f"{language} {answer}: {engine.yes_or_no('Shall I go on?', answer, language)}")
PY
cat seen
cat >expected <<'TEXT'
en-US yes, but actually, no: False
en-US please stop: True
en-US cancel it, please: True
en-US leave it, please: True
en-US yes, no problem: False
en-US yes, I have no objections: False
en-US yes, if it is not too late: False
en-US yes please, and no sugar: False
de-DE ja, kein Problem: True
fr-FR oui, pas de problème: True
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
