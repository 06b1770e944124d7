#!/bin/sh
# llm-cleaner 0.1.1 (PyPI, CPython 3.11), which takes JSON out of models' answers: it "cleans up the mess and ensures you get valid
# JSON strings ready for parsing". It also mends JSON that is whole, within its texts. "None of my cats" becomes "null of
# my cats", and "True Detective" "true Detective". A word with a colon after a comma, as in "has a cat, name: Momo", gets
# quotes, and the answer cannot be parsed any more. A smile at the end, "happy :]", becomes ": null]", and ", ]" loses its
# comma. Of an answer of two objects only the first is left.
# Source: README ("Converts Python True/False/None", "Truncates conversational text after the JSON"); the "heuristic
# repairs" of clean() in llm_cleaner/json_cleaner.py are substitutions over all of it, and nothing asks first whether it can
# be parsed. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "llm-cleaner==0.1.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
import json

from llm_cleaner.json_cleaner import clean


def read(text):
    """Return what json.loads reads of a text, or that it cannot."""
    try:
        return json.dumps(json.loads(text))
    except ValueError:
        return f"no JSON: {text}"


for text in (
    '{"note": "None of my cats likes True Detective"}',
    '{"note": "has a cat, name: Momo"}',
    '{"note": "sounds happy :]"}',
    '{"note": "plays the chord [a, c, ]"}',
    '{"note": "has a cat"}\n{"note": "has a dog"}',
):
    shown = " ".join(read(line) for line in text.splitlines())
    print(shown, "->", read(clean(text)))
PY
cat seen
cat >expected <<'TEXT'
{"note": "None of my cats likes True Detective"} -> {"note": "null of my cats likes true Detective"}
{"note": "has a cat, name: Momo"} -> no JSON: {"note": "has a cat, "name": Momo"}
{"note": "sounds happy :]"} -> {"note": "sounds happy : null]"}
{"note": "plays the chord [a, c, ]"} -> {"note": "plays the chord [a, c ]"}
{"note": "has a cat"} {"note": "has a dog"} -> {"note": "has a cat"}
TEXT
cmp expected seen
