#!/bin/sh
# fuzzy-json-repair 0.1.5 with pydantic 2.14.4 (PyPI, CPython 3.11), which mends misspelt keys in JSON that models write, for a class of
# pydantic's: "This library fixes those typos automatically". It first asks pydantic whether the answer will do, and
# pydantic overlooks keys that it does not know. So a misspelt key is mended only where another one that may not be left out
# is wrong too: of {"nam": "Ada", "dislike": ["tea"]} both are, of {"name": "Ada", "dislike": ["tea"]} Ada dislikes nothing, and nobody
# is told. In a list of notes one wrong "nam" brings back what all the others had lost. strict_validation=True, "reject
# unrecognized keys", rejects none then. repair_keys, which it calls, mends them all.
# Source: README, the description and "Parameters"; fuzzy_model_validate_json in fuzzy_json_repair/repair.py asks with strict=True
# "to detect unknown fields", which in pydantic's documentation is about types; unknown fields are extra="forbid". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "fuzzy-json-repair[pydantic]==0.1.5" "pydantic==2.14.4"
cd "$folder"
venv/bin/python - >seen <<'PY'
import json

from fuzzy_json_repair import fuzzy_model_validate_json, repair_keys
from pydantic import BaseModel


class Note(BaseModel):
    name: str
    dislikes: list[str] = []


class Notes(BaseModel):
    notes: list[Note]


def shown(model, answer, **options):
    """Print what is read of an answer."""
    text = json.dumps(answer)
    print(text, *options, "->", fuzzy_model_validate_json(text, model, **options).model_dump_json())


ADA = {"name": "Ada", "dislike": ["tea"]}
BO = {"name": "Bo", "dislikes": ["milk"]}
shown(Note, {"nam": "Ada", "dislike": ["tea"]})
shown(Note, ADA)
shown(Note, ADA, strict_validation=True)
shown(Notes, {"notes": [ADA, BO]})
shown(Notes, {"notes": [ADA, {"nam": "Bo", "dislikes": ["milk"]}]})
print("repair_keys:", json.dumps(repair_keys(ADA, Note.model_json_schema()).data))
PY
cat seen
cat >expected <<'TEXT'
{"nam": "Ada", "dislike": ["tea"]} -> {"name":"Ada","dislikes":["tea"]}
{"name": "Ada", "dislike": ["tea"]} -> {"name":"Ada","dislikes":[]}
{"name": "Ada", "dislike": ["tea"]} strict_validation -> {"name":"Ada","dislikes":[]}
{"notes": [{"name": "Ada", "dislike": ["tea"]}, {"name": "Bo", "dislikes": ["milk"]}]} -> {"notes":[{"name":"Ada","dislikes":[]},{"name":"Bo","dislikes":["milk"]}]}
{"notes": [{"name": "Ada", "dislike": ["tea"]}, {"nam": "Bo", "dislikes": ["milk"]}]} -> {"notes":[{"name":"Ada","dislikes":["tea"]},{"name":"Bo","dislikes":["milk"]}]}
repair_keys: {"name": "Ada", "dislikes": ["tea"]}
TEXT
cmp expected seen
