#!/bin/sh
# tensemem 0.1.0 (PyPI, CPython 3.11), "memory that knows its tenses", with the extractor of its quick start, which
# needs no model and scores 1.00 in its table. Whatever stands before "live in" or "moved to" and a name makes the
# asker live there, now: who used to live in Rome, would like to live in Paris, will live in Bern next year, asks
# whether one can live in Oslo, tells what Kim said, or whose parents moved to Leeds. The newest sentence wins: each of
# these takes the place of the town that the user has lived in all the time, and the memory calls itself fresh. A move
# "from York to Bern" leaves York.
# Source: the README ("one current truth per slot", "the engine decides what is current", "current-state accuracy 1.00,
# stale-fact leak 0.00"); _live_cities in tensemem/providers/llm/fake.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "tensemem==0.1.0"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from tensemem import FakeExtractor, Memory

memory = Memory(llm=FakeExtractor())
memory.register_predicate("lives_in")
for number, said in enumerate(
    (
        "I used to live in Rome when I was a child",
        "I would like to live in Paris",
        "I will live in Bern next year",
        "Can one live in Oslo without a car?",
        'Kim said: "I live in Bonn"',
        "My parents moved to Leeds",
        "I moved from York to Bern",
    )
):
    user = f"user {number}"
    for sentence in ("I live in York", said):
        added = memory.add(user, sentence)
        context = memory.context(user_id=user, min_seq=added.seq, wait=5)
    print(f"I live in York. {said}: {memory.state(user).values}, current: {context.freshness.is_current}")
memory.close()
PY
cat >expected <<'TEXT'
I live in York. I used to live in Rome when I was a child: {'lives_in': 'Rome'}, current: True
I live in York. I would like to live in Paris: {'lives_in': 'Paris'}, current: True
I live in York. I will live in Bern next year: {'lives_in': 'Bern'}, current: True
I live in York. Can one live in Oslo without a car?: {'lives_in': 'Oslo'}, current: True
I live in York. Kim said: "I live in Bonn": {'lives_in': 'Bonn'}, current: True
I live in York. My parents moved to Leeds: {'lives_in': 'Leeds'}, current: True
I live in York. I moved from York to Bern: {'lives_in': 'York'}, current: True
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
