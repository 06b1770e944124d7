#!/bin/sh
# personaut 0.3.5 (PyPI, CPython 3.11), a kit for personas with memories, some of which are told only to whom they trust.
# search_memories drops what is private from the nearest 2 x limit memories: where four secrets are nearer, a stranger who
# asks for two memories gets none, also of those that everybody may know, and the answer differs from "nothing known" in
# nothing. Its reader of situations takes the words after "in" for a city: "We baked in January" is in the city January,
# "Anna sleeps in on Sunday" in "on Sunday", and "We met in Köln" nowhere. "Not crowded" is crowded, "1,200 people" are
# 200, and a temperature, which it has a pattern for, is never kept, as no branch adds what is physical.
# Source: search_memories in personaut/memory/__init__.py; DEFAULT_PATTERNS, whose capitals are searched for with
# re.IGNORECASE, and _add_fact_to_context in personaut/facts/extractor.py of the wheel. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "personaut==0.3.5"
cd "$folder"
venv/bin/python - <<'PY'
from personaut.facts import FactExtractor
from personaut.memory import InMemoryVectorStore, create_individual_memory, create_private_memory, search_memories


def embed(text):
    """Return a vector that is nearer to the question for a secret."""
    return [1.0, 0.0] if "secret" in text else [0.8, 0.6]


store = InMemoryVectorStore()
for number in range(4):
    secret = create_private_memory(owner_id="ann", description=f"secret {number}", trust_threshold=0.9)
    store.store(secret, embed(secret.description))
known = create_individual_memory(owner_id="ann", description="Ann bakes rye bread")
store.store(known, embed(known.description))
seen = {}
for limit in (1, 2, 3):
    found = search_memories(store, "secret", embed, limit=limit, trust_level=0.1)
    seen[f"at most {limit}"] = [memory.description for memory, _ in found]
for text in (
    "We baked in January",
    "Anna sleeps in on Sunday",
    "We met in Köln",
    "The bar was not crowded",
    "There were 1,200 people",
    "It was 20 degrees",
):
    seen[text] = [f"{fact.key}: {fact.value}" for fact in FactExtractor().extract(text).facts]
for what, result in seen.items():
    print(f"{what}: {result}")
expected = {
    "at most 1": [],
    "at most 2": [],
    "at most 3": ["Ann bakes rye bread"],
    "We baked in January": ["city: January"],
    "Anna sleeps in on Sunday": ["city: on Sunday", "day_of_week: Sunday"],
    "We met in Köln": [],
    "The bar was not crowded": ["venue_type: bar", "crowd_level: crowded"],
    "There were 1,200 people": ["people_count: 200"],
    "It was 20 degrees": [],
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
