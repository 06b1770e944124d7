#!/bin/sh
# safe-json-repair 0.1.1 (PyPI, CPython 3.11), which mends the JSON that models write: it "never silently drops a field", for "a
# silently dropped field is the dangerous failure". Each of these comes back with ok=True, which is False "only for unrepairable
# garbage". Of two notes in a list the first of which is closed once too often, the fields of the second are the outer object's.
# Of two objects in a row the first is gone. Where the object is closed twice, what follows is gone; its README's own
# example closes it once. True, as Python writes it, becomes null, and a day without quotes too. A name without quotes is
# dropped, and what it named becomes a name. With apostrophes for quotes nothing is left: the note is {}.
# Source: README, "Guarantees": siblings orphaned by a premature close are kept, garbage is the "fallback". json-repair 0.64.4
# (PyPI) keeps all of these but what follows an object that is closed twice. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "safe-json-repair==0.1.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
from safe_json_repair import repair_json

TEXTS = [
    '{"by": "ada"}, "note": "has a cat"}',
    '{"notes": [{"by": "ada", "note": "has a cat"}}, {"by": "bo", "note": "has a dog"}]}',
    '{"by": "ada", "note": "has a cat"}, {"by": "bo", "note": "has a dog"}',
    '{"by": "ada", "note": "has a cat"}}, "until": "2026-12-24"}',
    '{"sure": True, "note": "has a cat", "until": 2026-12-24}',
    '{note: "has a cat", by: "ada"}',
    "{'note': 'has a cat', 'by': 'ada'}",
]
for text in TEXTS:
    repaired = repair_json(text)
    print(f"{text} -> {'ok' if repaired.ok else 'not ok'} {repaired.json}")
PY
cat seen
cat >expected <<'TEXT'
{"by": "ada"}, "note": "has a cat"} -> ok {"by":"ada","note":"has a cat"}
{"notes": [{"by": "ada", "note": "has a cat"}}, {"by": "bo", "note": "has a dog"}]} -> ok {"notes":[{"by":"ada","note":"has a cat"}],"by":"bo","note":"has a dog"}
{"by": "ada", "note": "has a cat"}, {"by": "bo", "note": "has a dog"} -> ok {"by":"bo","note":"has a dog"}
{"by": "ada", "note": "has a cat"}}, "until": "2026-12-24"} -> ok {"by":"ada","note":"has a cat"}
{"sure": True, "note": "has a cat", "until": 2026-12-24} -> ok {"sure":null,"note":"has a cat","until":null}
{note: "has a cat", by: "ada"} -> ok {"has a cat":null,"ada":null}
{'note': 'has a cat', 'by': 'ada'} -> ok {}
TEXT
cmp expected seen
