#!/bin/sh
# agentmemodb 0.1.0 (PyPI, CPython 3.11), a memory for agents with "semantic search", "all in a single pip install". Installed so, it
# cannot be imported: httpx, which it names for its remote mode alone, is missing. With httpx 0.28.1 beside it, search()
# compares SHA-256 sums, read as numbers of four bytes, so what it finds is chance: asked where each of twenty members lives, it
# names another one nineteen times. The words of the question count for nothing, since its search for words is only for
# memories without numbers, and they all have some. Asked for with its own words, one memory of three is not the first that is
# found: most numbers are tiny beside one that is huge, so that many sums look alike. Who says again what is known, and
# now that it is important, is not heard: importance and metadata are dropped with words that are known.
# Source: its README: "pip install agentmemodb  # core (SQLite embedded, zero config)", whose first example searches so, with a
# score for each memory; DummyEmbedding in agentmemodb/embeddings.py, which its own comment calls not meaningful, is
# what Client() takes. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "agentmemodb==0.1.0" "numpy==2.3.5"
cd "$folder"
venv/bin/python -c "import agentmemodb" 2>&1 | tail -1 | tee seen
venv/bin/pip install -q --no-compile "httpx==0.28.1"
cat >asked.py <<'PY'
import agentmemodb

db = agentmemodb.Client(path=":memory:")
names = "Anna Ben Cleo Dan Eva Finn Gina Hugo Iris Jan Kim Leo Mia Nora Otto Pia Rosa Sam Tom Una".split()
for name in names:
    db.upsert("club", f"home:{name}", f"{name} lives in the street of {name}")
first = [db.search("club", f"Where does {name} live?", top_k=1)[0].key for name in names]
print("asked where members live, right:", sum(key == f"home:{name}" for key, name in zip(first, names)), "of 20")

texts = [f"memory number {number}" for number in range(300)]
for text in texts:
    db.upsert("many", text, text)
missed = [text for text in texts if db.search("many", text, top_k=1)[0].content != text]
print("not found by their own words, more than a fifth of 300:", len(missed) > 60)

db.upsert("kim", "allergy", "Kim is allergic to nuts")
again = db.upsert("kim", "allergy", "Kim is allergic to nuts", importance=1.0, metadata={"said": "twice"})
print("said again, as important:", again.importance, again.metadata)
PY
venv/bin/python -W ignore asked.py | tee -a seen
cat >expected <<'TEXT'
ModuleNotFoundError: No module named 'httpx'
asked where members live, right: 1 of 20
not found by their own words, more than a fifth of 300: True
said again, as important: 0.5 {}
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
