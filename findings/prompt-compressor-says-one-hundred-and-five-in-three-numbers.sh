#!/bin/sh
# prompt-compressor 0.1.0 (PyPI, CPython 3.11), which shortens prompts by rules. It writes numbers word by word: 105 is "1 100
# and 5", 300 euros are "3 100 euros", 25 is "20 5", and "no one may enter" is "No 1 may enter". Its "always protected"
# variables go with the sentence or the parentheses they stand in: of two that greet {{name}} and {{friend}} alike only the
# first is left, so that the friend is told nothing, and "(see {{note}})" is gone at "low" already.
# Source: its README ("normalize_numbers: \"twenty\" -> \"20\", \"five\" -> \"5\"", at level low; "Variables in {{var}}, {var},
# <tag> and ${var} format are always protected by default", "preserved exactly" at level medium). Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "prompt-compressor==0.1.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from prompt_compressor import compress

for level, text in [
    ("low", "Ada has one hundred and five guests."),
    ("low", "Ben owes three hundred euros."),
    ("low", "Bake for twenty five people."),
    ("low", "No one may enter."),
    ("low", "Greet {{name}} at the door (see {{note}})."),
    ("medium", "Hello {{name}}, query: {user_query}"),
    ("medium", "Greet {{name}} with cake at the door. Greet {{friend}} with cake at the door."),
]:
    print(f"{level}: {text} -> {compress(text, level=level).output}")
PY
cat seen
cat >expected <<'TEXT'
low: Ada has one hundred and five guests. -> Ada has 1 100 and 5 guests.
low: Ben owes three hundred euros. -> Ben owes 3 100 euros.
low: Bake for twenty five people. -> Bake for 20 5 people.
low: No one may enter. -> No 1 may enter.
low: Greet {{name}} at the door (see {{note}}). -> Greet {{name}} at the door.
medium: Hello {{name}}, query: {user_query} -> Hello {{name}}, query: {user_query}
medium: Greet {{name}} with cake at the door. Greet {{friend}} with cake at the door. -> Greet {{name}} with cake at the door.
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
