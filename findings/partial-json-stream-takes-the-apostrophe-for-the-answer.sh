#!/bin/sh
# partial-json-stream 1.0.0 (PyPI, Python 3.11), which reads the JSON of a model while it comes. An apostrophe in the words
# before it begins a text: of "I don't know Anna's age: {"name": "Anna"}" the value is "t know Anna", and of "Here's
# what I know: {...}" all of the rest, so the parser says that it is complete, certain (1.0), and has no value. A note
# like "[1]" or the first word "true" before the object is the value too. Each is reported as complete.
# Source: its README: by default it "tolerates the LLM-isms you actually see in production", among them "prose before/after
# the JSON: Sure! Here it is: {...}". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "partial-json-stream==1.0.0"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from partial_json_stream import JsonStreamParser

for before in ("Here is it", "I don't know Anna's age", "Here's what I know", "As noted in [1]", "true for Anna"):
    parser = JsonStreamParser()
    parser.push(f'{before}: {{"name": "Anna"}}')
    parser.end()
    snapshot = parser.snapshot()
    print(before, "->", repr(snapshot.value), snapshot.complete, snapshot.confidence)
PY
cat >expected <<'TEXT'
Here is it -> {'name': 'Anna'} True 1.0
I don't know Anna's age -> 't know Anna' True 1.0
Here's what I know -> None True 1.0
As noted in [1] -> [1] True 1.0
true for Anna -> True True 1.0
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
