#!/bin/sh
# langmemory 0.1.1 (PyPI, CPython 3.10 or newer), "memory that behaves like a system", as installed. Of its three tiers only the
# first exists: what is moved to the second, "Disk, persistent, promoted on read", is handed to a function that does nothing.
# From the 1,001st memory on each new one loses an old one, the least important or the oldest; it is counted in "warm_count"
# and "total_indexed" for ever, verify_integrity() is content, and no question finds it. The embedding that comes with it
# ("full functionality") is noise made of a hash: of six memories "Kim is allergic to nuts" is the last for "Who is allergic to
# nuts?", and the last for that very sentence with a small letter at its beginning.
# Source: on_warm_store in langmemory/structures/lsm_tiers.py of the wheel, which core/chain.py never sets (langmemory/storage
# is empty), and StubEmbedder in scoring/embedder.py; the README's table of tiers, and "Zero dependencies. Durable".
# Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "langmemory==0.1.1"
"$folder/venv/bin/python" - <<'PY'
from langmemory import LangMemory

NUTS = "Kim is allergic to nuts"
OTHERS = ("Kim lives in Leeds", "Kim has a dog called Rex", "The club meets on Fridays", "Ben plays chess", "Cy is a nurse")


def found(memory, question):
    """Return what is found, the best first."""
    return [result.node.content for result in memory.retrieve(question, top_k=2_000)]


few = LangMemory()
for text in (NUTS, *OTHERS):
    few.insert(text)
places = {text: found(few, text).index(NUTS) + 1 for text in (NUTS, "kim is allergic to nuts", "Who is allergic to nuts?")}
many = LangMemory()
for text in (NUTS, *(f"Room {number} is painted" for number in range(999))):
    many.insert(text)
before = NUTS in found(many, NUTS)
many.insert("Room 999 is painted")
after = NUTS in found(many, NUTS)
stats = {name: many.stats()[name] for name in ("hot_count", "warm_count", "total_indexed")}
print("place of the sentence among six, by question:", places)
print("found among 1,000:", before, "- among 1,001:", after, stats, "valid:", many.verify_integrity().is_valid)
if (
    places[NUTS] != 1
    or 1 in (places["kim is allergic to nuts"], places["Who is allergic to nuts?"])
    or (before, after) != (True, False)
    or stats != {"hot_count": 1_000, "warm_count": 1, "total_indexed": 1_001}
    or not many.verify_integrity().is_valid
):
    raise SystemExit("the behaviour has changed")
PY
