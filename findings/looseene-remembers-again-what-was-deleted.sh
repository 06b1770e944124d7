#!/bin/sh
# looseene 1.0.0 (PyPI, CPython 3.11), a persistent full-text search in one file, with "the full CRUD lifecycle". save_index
# writes nothing where nothing was added: a document that was deleted, and saved so, is back when the program starts again.
# What was compacted is read after all that is written later, so it lies on top: after a compaction each change lasts until the
# next start. Ada, who moved from Oslo to Rome and then to Bern, lives in Rome again. Until a compaction a changed document is
# found by its old words too: Oslo finds the text about Rome.
# Source: its README ("Update a document by providing its full data with the same ID", "Delete a document by its ID", "your
# data is safe even if your application restarts", "recommended to run this periodically"); flush, compact and _load_segments,
# which sorts seg_merged_... behind seg_17..., in looseene/__init__.py. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "looseene==1.0.0"
cd "$folder"
cat >notes.py <<'PY'
from looseene import add_to_index, compact_index, create_index, delete_document, save_index, search_text, update_document

create_index("notes", schema={"id": int, "text": str}, path="notes")


def show(title, *words):
    print(f"{title}:", *(f"{word} {[note['text'] for note in search_text('notes', word)]}" for word in words))


PY
cat >run <<'SH'
{ cat notes.py; cat; } >step.py
venv/bin/python step.py
SH
{
sh run <<'PY'
add_to_index("notes", {"id": 1, "text": "Ada lives in Oslo"})
add_to_index("notes", {"id": 2, "text": "Ben is allergic to nuts"})
save_index("notes")
PY
sh run <<'PY'
delete_document("notes", 2)
save_index("notes")
show("deleted and saved", "nuts")
PY
sh run <<'PY'
show("started again", "nuts")
update_document("notes", {"id": 1, "text": "Ada lives in Rome"})
save_index("notes")
show("changed and saved", "Oslo", "Rome")
compact_index("notes")
show("compacted", "Oslo", "Rome")
PY
sh run <<'PY'
update_document("notes", {"id": 1, "text": "Ada lives in Bern"})
save_index("notes")
show("changed and saved", "Rome", "Bern")
PY
sh run <<'PY'
show("started again", "Rome", "Bern")
PY
} >seen
cat seen
cat >expected <<'TEXT'
deleted and saved: nuts []
started again: nuts ['Ben is allergic to nuts']
changed and saved: Oslo ['Ada lives in Rome'] Rome ['Ada lives in Rome']
compacted: Oslo [] Rome ['Ada lives in Rome']
changed and saved: Rome ['Ada lives in Bern'] Bern ['Ada lives in Bern']
started again: Rome ['Ada lives in Rome'] Bern ['Ada lives in Rome']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
