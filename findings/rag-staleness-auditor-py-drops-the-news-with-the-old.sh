#!/bin/sh
# rag-staleness-auditor-py 0.1.0 (PyPI, CPython 3.11), which drops what is too old before a model reads it. It notes the ids
# of what is stale, and drops whatever has one of them: where a piece of news has the id of what it replaces, as
# versions and the parts of one document have, the news goes with the old. Of records without ids, one that is too old
# takes all others along. The audit beside it says rightly that they are fresh. Asked both ways without a number of
# days, the audit takes 90 for too many and the filter 30, so that it drops what has just been called fresh.
# Source: its README ("Returns the input list with stale records dropped", "anything pinned to a stale version"); filter_fresh
# in rag_staleness_auditor/auditor.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "rag-staleness-auditor-py==0.1.0"
cd "$folder"
cat >fresh.py <<'PY'
from rag_staleness_auditor import audit, filter_fresh

today = "2026-11-30T00:00:00Z"
old, new = "2024-03-01T00:00:00Z", "2026-11-20T00:00:00Z"
for name, records in (
    (
        "two versions of one note",
        [
            {"id": "kim", "version": "v1", "updated_at": old, "text": "Kim is vegan"},
            {"id": "kim", "version": "v2", "updated_at": new, "text": "Kim eats fish now"},
        ],
    ),
    ("without ids", [{"updated_at": old, "text": "Ben lives in Oslo"}, {"updated_at": new, "text": "Ada is a nurse"}]),
    ("two months old", [{"id": "eva", "updated_at": "2026-10-01T00:00:00Z", "text": "Eva is allergic to nuts"}]),
):
    days = {} if name == "two months old" else {"max_age_days": 90}
    fresh = [record["text"] for record in filter_fresh(records, now=today, **days)]
    print(f"{name}: {audit(records, now=today, **days).fresh_count} fresh, left: {fresh}")
PY
venv/bin/python fresh.py | tee seen
cat >expected <<'TEXT'
two versions of one note: 1 fresh, left: []
without ids: 1 fresh, left: []
two months old: 1 fresh, left: []
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
