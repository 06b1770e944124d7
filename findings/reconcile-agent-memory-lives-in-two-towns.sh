#!/bin/sh
# reconcile-agent-memory 0.1.2 with scikit-learn 1.9.1 (PyPI, CPython 3.11), a memory in which a new fact takes the place of the
# old one. A fact that was said twice, as people do, is kept twice, and only the second ends when it changes: of York, York and
# Bern, York and Bern are both current, with the same score, and no later town ends the first York. The other way round, a fact
# with an end leaves nothing behind it: who lives in York and stays in Bern for a week lives nowhere afterwards. Two things that
# somebody likes are one, so that chess ends tea. From the question "Do I live in Bern?" the extractor keeps "Bern?".
# Source: its README, "a new fact about the same (tenant, subject, predicate) supersedes the old one instead of both floating in
# the store forever"; add in reconcile/store.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "reconcile-agent-memory==0.1.2" "scikit-learn==1.9.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
import time
from unittest.mock import patch

from reconcile import MemoryStore, extract_facts


def show(name, store):
    """Print what is true now, and what the search says."""
    current = [fact.object for fact in store.all_facts()]
    hits = [(hit.fact.object, f"{hit.score:.2f}") for hit in store.retrieve("user lives in")]
    print(f"{name}: current {current}, search {hits}")


store = MemoryStore()
for town in ("York", "York", "Bern", "Oslo"):
    store.add("user", "lives_in", town)
    show(town, store)
store = MemoryStore()
store.add("user", "lives_in", "York")
store.add("user", "lives_in", "Bern", ttl_seconds=7 * 86400)
show("a week in Bern", store)
with patch("time.time", return_value=time.time() + 8 * 86400):
    show("a week later", store)
store = MemoryStore()
for thing in ("tea", "chess"):
    store.add("user", "likes", thing)
print("likes:", [fact.object for fact in store.all_facts()])
print([(fact.predicate, fact.object) for fact in extract_facts("Do I live in Bern?")])
PY
cat seen
cat >expected <<'TEXT'
York: current ['York'], search [('York', '1.03')]
York: current ['York', 'York'], search [('York', '1.05'), ('York', '1.05')]
Bern: current ['York', 'Bern'], search [('York', '0.97'), ('Bern', '0.97')]
Oslo: current ['York', 'Oslo'], search [('York', '0.97'), ('Oslo', '0.97')]
a week in Bern: current ['Bern'], search [('Bern', '1.03')]
a week later: current [], search []
likes: ['chess']
[('lives_in', 'Bern?')]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
