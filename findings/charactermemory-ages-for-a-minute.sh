#!/bin/sh
# charactermemory 0.2.0 (PyPI, CPython 3.11), a memory for characters that "live, remember and forget". The strength of a
# memory in its knowledge graph falls for 55 seconds and then never again: a minute, a week and forty years are equal, as
# installed, and also with a half-life of an hour or a year; with decay 0.2 instead of 0.5 it falls for six hours. Of two
# older memories none is ahead for being newer, though the README has characters recall by how recent a memory is.
# Source: base_level_activation in character_memory/knowledge_graph/activation.py of the wheel: the age in seconds to the
# power of -0.5 falls below the floor, e to the power of -2, at 54.6 seconds, and the setting decay_half_life (604,800 as
# installed) only lowers it further. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "charactermemory==0.2.0" "llama-index-core==0.14.25" "openai==3.57.0" "numpy==2.4.6"
cd "$folder"
venv/bin/python -W ignore - <<'PY'
from character_memory.config import KnowledgeGraphConfig
from character_memory.knowledge_graph import base_level_activation
from character_memory.knowledge_graph.nodes import Node

NOW, HOUR, YEAR = 1_800_000_000.0, 3600.0, 365 * 86400.0
AGES = {"10 s": 10, "50 s": 50, "1 min": 60, "5 h": 5 * HOUR, "1 week": 168 * HOUR, "40 years": 40 * YEAR}
defaults = KnowledgeGraphConfig()


def remembered(age_s, decay=defaults.decay, half_life_s=defaults.decay_half_life):
    """Return how well a memory is remembered that was never recalled."""
    node = Node(id="fact:rex", kind="fact", text="Anna's dog is called Rex", created_at=NOW - age_s)
    return round(base_level_activation(node, now=NOW, decay=decay, decay_half_life=half_life_s), 2)


print("decay", defaults.decay, "half-life", defaults.decay_half_life / HOUR, "h")
plain = {name: remembered(age) for name, age in AGES.items()}
short = {name: remembered(age, half_life_s=HOUR) for name, age in AGES.items()}
long = {name: remembered(age, half_life_s=YEAR) for name, age in AGES.items()}
slow = {name: remembered(age, decay=0.2) for name, age in AGES.items()}
print("as installed:", plain)
print("half-life of an hour:", short)
print("half-life of a year:", long)
print("decay 0.2:", slow)
floor = dict.fromkeys(("1 min", "5 h", "1 week", "40 years"), -2.0)
for seen in (plain, short, long):
    assert seen["10 s"] > seen["50 s"] > -2.0, "what is fresh is forgotten"
    assert {name: seen[name] for name in floor} == floor, "age counts"
assert slow["5 h"] > -2.0 and slow["1 week"] == slow["40 years"] == -2.0, "the slower decay has changed"
PY
