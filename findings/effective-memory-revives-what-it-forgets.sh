#!/bin/sh
# effective-memory 0.2.0 (PyPI, CPython 3.11), a memory in which what is not recalled fades along a curve of forgetting. compact(), which is
# to merge what has faded, makes a new memory of it, and a new memory is as fresh as any: two notes of a year ago, kept at nought, are
# one at 1.0 afterwards, and are told before what was said last week and asked for since. One that has faded alone stays
# faded. What was linked with the two is linked with the merged one no more, and a note that is then deleted goes on being told in
# it. Each recall refreshes the five it returns, however little they have to do with the question, so that in a store of five
# nothing fades while anything is asked. After its "half-life" a memory is at 0.37.
# Source: its README ("Retention decays with elapsed time", "replaces each cluster with a single summary", "every access slows its decay"),
# compact() and recall() in store.py, DEFAULT_HALF_LIFE_SECONDS in decay.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "effective-memory==0.2.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from effective_memory import MemoryStore

DAY = 86400
now = [0.0]


def told(memory, question):
    found = memory.recall(question, k=3, touch_on_recall=False)
    return [(result.memory.content, round(result.retention, 2)) for result in found]


with MemoryStore(":memory:", clock=lambda: now[0]) as memory:
    first = memory.add("Ada lives in York with Ben.")
    memory.add("Ada lives in York with Ben now.")
    memory.link(first, memory.add("Ben is a baker."), relation="partner")
    now[0] = 358 * DAY
    home = memory.add("Ada moved: her new home is Leeds.")
    now[0] = 362 * DAY
    memory.touch(home)
    now[0] = 365 * DAY
    print("before:", told(memory, "Where does Ada live?"))
    merged, = memory.compact()
    print("after:", told(memory, "Where does Ada live?"))
    print("links of the merged one:", memory.links_for(merged), "of the first:", len(memory.links_for(first)))
    memory.delete(first)
    print("with the first deleted:", memory.get(merged).content)

with MemoryStore(":memory:", clock=lambda: now[0]) as memory:
    cat = memory.add("The cat of Eva is called Mia.")
    for week in range(10):
        now[0] += 7 * DAY
        memory.recall("What is the weather like?")
    now[0] += 7 * DAY
    print("never asked for in eleven weeks:", round(told(memory, "cat")[0][1], 2), memory.get(cat).access_count, "accesses")

with MemoryStore(":memory:", half_life=DAY, clock=lambda: now[0]) as memory:
    memory.add("Tea is ready.")
    now[0] += DAY
    print("after its half-life:", told(memory, "tea"))
PY
cat seen
cat >expected <<'TEXT'
before: [('Ada moved: her new home is Leeds.', 0.78), ('Ada lives in York with Ben.', 0.0), ('Ada lives in York with Ben now.', 0.0)]
after: [('Ada lives in York with Ben. | Ada lives in York with Ben now.', 1.0), ('Ada moved: her new home is Leeds.', 0.78), ('Ben is a baker.', 0.0)]
links of the merged one: [] of the first: 1
with the first deleted: Ada lives in York with Ben. | Ada lives in York with Ben now.
never asked for in eleven weeks: 0.75 10 accesses
after its half-life: [('Tea is ready.', 0.37)]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
