#!/bin/sh
# memorydrift 3.0.2 (PyPI, CPython 3.11), "AI memory that decays, degrades, and drifts". What has nearly faded is told to
# the model as a feeling, and the feeling is looked for within words: "Anna studied in Leeds" (died) is "profound grief
# and loss", "The bike is in the garage" (rage) "anger and hurt", "I like yoghurt" (hurt) "fear and helplessness"; what
# has none of them is its first three words, "we meet at". A faded memory is its first sentence, which ends at the full
# stop of "Dr."; a vague one ends at its first comma, so "I eat no fish on Fridays, only on Sundays" has lost the Sundays.
# retrieve() counts as a recall of each memory in the store, whatever it was asked for: after a question a day for a
# month, a memory that nobody used stands after ten years about where it would have stood after half a year.
# Source: _emotional_feeling, _first_sentence and _gist in memorylayer/fidelity.py, retrieve in memorylayer/memory_store.py
# of the wheel. The README's quickstart calls retrieve() without an argument. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "memorydrift==3.0.2"
cd "$folder"
venv/bin/python - <<'PY'
from memorylayer import MemoryStore

DAY, BEGIN = 86_400, 1_700_000_000


def told(text, days):
    """Return what a memory without feeling is told as after so many days."""
    store = MemoryStore()
    store.write(text, emotional_weight=0.0, now=BEGIN)
    return [memory.display_content for memory in store.retrieve(now=BEGIN + days * DAY)][0]


def strength(days, recalls):
    """Return how strong a memory is after days, if recalls questions about another thing came first."""
    store = MemoryStore()
    store.write("We meet at ten", emotional_weight=0.0, now=BEGIN)
    store.write("The bike is red", emotional_weight=0.0, now=BEGIN)
    for day in range(1, recalls + 1):
        store.retrieve(now=BEGIN + day * DAY)
    return store.retrieve(now=BEGIN + days * DAY, increment_recall=False)[0].decay.strength


seen = [
    *(
        told(text, 1_500)
        for text in (
            "Anna studied in Leeds",
            "The bike is in the garage",
            "I like yoghurt",
            "We meet at ten",
        )
    ),
    told("Dr. Meyer moved to Friday", 400),
    told("I eat no fish on Fridays, only on Sundays", 700),
    f"ten years, recalled 30 times: {strength(3_650, 30):.2f}",
    f"half a year, never recalled: {strength(182, 0):.2f}",
]
print("\n".join(seen))
FEELING = "I don't remember what happened, but I remember how it felt —: "
expected = [
    f"{FEELING}profound grief and loss",
    f"{FEELING}anger and hurt",
    f"{FEELING}fear and helplessness",
    f"{FEELING}we meet at",
    "I vaguely recall: Dr.",
    "I have a faint sense that: I eat no fish on Fridays",
    "ten years, recalled 30 times: 0.41",
    "half a year, never recalled: 0.43",
]
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
