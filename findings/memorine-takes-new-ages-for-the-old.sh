#!/bin/sh
# memorine 0.2.0 (PyPI, CPython 3.11), a memory for agents that "catches contradictions before they cause trouble", without its
# extras, as installed. Words of fewer than three characters do not count when two facts are compared, so neither does any
# number below 100: "Anna is 32" is "Anna is 31" to it. The news is dropped, the old fact becomes stronger, and the caller gets
# its id and an empty list of contradictions; so with "The club meets at 8". What it does take for a contradiction are
# facts about two people: "Ben's birthday is in May" weakens Anna's and marks it as superseded; "likes tea" and "does not
# like tea" do not contradict each other. Nothing reads that mark: the block for the system prompt has Redis on both
# ports, which is the README's own example.
# Source: _tokenize and learn in memorine/cortex.py of the wheel; superseded_by is written there and read nowhere. The README:
# "When something turns out to be wrong, you fix it", the two ports are alike by 0.87 (here 0.5). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "memorine==0.2.0"
cd "$folder"
venv/bin/python - <<'PY'
from pathlib import Path

from memorine import Mind

mind = Mind("kim", db_path=str(Path("memory.db").resolve()))


def learned(first, second):
    """Return whether the second fact is kept as one of its own, and what it contradicts; it is learned after the first."""
    old, _ = mind.learn(first)
    new, contradicted = mind.learn(second)
    return new != old, [(fact["fact"], fact["similarity"]) for fact in contradicted]


seen = {
    "Anna is 31, Anna is 32": learned("Anna is 31", "Anna is 32"),
    "meets at 7, meets at 8": learned("The club meets at 7", "The club meets at 8"),
    "birthdays of Anna and Ben": learned("Anna's birthday is in May", "Ben's birthday is in May"),
    "likes tea, does not like tea": learned("Cy likes tea", "Cy does not like tea"),
    "the README's ports": learned("Redis is on port 6379", "Redis is on port 6380"),
}
facts = {fact["fact"]: fact for fact in mind.facts()}
prompt = [line.split("[")[0].strip("- ") for line in mind.profile().splitlines() if line.startswith("- ")]
strength = {name: round(facts[name]["weight"], 1) for name in ("Anna is 31", "Anna's birthday is in May")}
marked = sorted(name for name, fact in facts.items() if fact["superseded_by"])
for name, outcome in seen.items():
    print(f"{name}: {outcome}")
print("strength, which begins at 1:", strength)
print("marked as superseded:", marked)
print("in the prompt:", prompt)
expected = [
    (False, []),
    (False, []),
    (True, [("Anna's birthday is in May", 0.5)]),
    (True, []),
    (True, [("Redis is on port 6379", 0.5)]),
]
if (
    list(seen.values()) != expected
    or strength != {"Anna is 31": 1.1, "Anna's birthday is in May": 0.8}
    or marked != ["Anna's birthday is in May", "Redis is on port 6379"]
    or not {"Anna is 31", "Redis is on port 6379", "Redis is on port 6380"} <= set(prompt)
    or "Anna is 32" in prompt
):
    raise SystemExit("the behaviour has changed")
PY
