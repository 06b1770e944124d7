#!/bin/sh
# toktoon 0.1.2 and tokenshrink-ai 0.1.1 (PyPI), which write lists for prompts as a table, to save tokens. The columns are
# the first item's: of Anna, who likes tea, and Ben, who likes coffee and is allergic to nuts, the nuts are gone, and
# nothing says so. An item that lacks a column is a KeyError in toktoon. A comma in a value is not marked in either: who
# likes "tea" with the note "no milk" reads like who likes "tea,no milk", and in toktoon None like the word "None".
# Source: toktoon's README: "lossless mode preserves all fields and values", which is its default; tokenshrink-ai's:
# "without sacrificing context". The TOON format, which both write like, is a table only where all items have
# the same keys, and puts quotes around commas. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "toktoon==0.1.2" "tokenshrink-ai==0.1.1"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from token_shrink import compress_struct
from toktoon import JsonSquasher

anna = {"name": "Anna", "likes": "tea"}
ben = {"name": "Ben", "likes": "coffee", "allergic to": "nuts"}
squash = JsonSquasher(lossy=False).squash
print(squash({"members": [anna, ben]}))
print(compress_struct([anna, ben]))
try:
    squash({"members": [ben, anna]})
except KeyError as missing:
    print("KeyError", missing)
noted = [{"likes": "tea", "note": "no milk"}]
print(compress_struct(noted), "|", compress_struct([{"likes,note": "tea,no milk"}]))
print(squash({"m": noted}) == squash({"m": [{"likes,note": "tea,no milk"}]}), squash({"a": None}))
PY
cat >expected <<'TEXT'
members[2]{name,likes}:
  Anna,tea
  Ben,coffee
[2]{name,likes}:
Anna,tea
Ben,coffee
KeyError 'allergic to'
[1]{likes,note}:
tea,no milk | [1]{likes,note}:
tea,no milk
True a: None
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
