#!/bin/sh
# evermem-ai 0.4.1 (PyPI, CPython 3.11), "eternal memory for any LLM" with counts over all talks, as installed, by its
# rules. A count counts the talks that have words of the question: who went to the gym once, skipped it, asked about it,
# wants to go, and told of Anna's going, went six times, and that is what the prompt for the model says ("Relevant events
# found in 6 separate conversations"). "Do I live in Rome?" is a statement that ends York, said three times and trusted
# more, although contradictions are "resolved by repetition and trust, not by last-write-wins"; nothing of it is in the
# list of conflicts. forget() ends the fact, and the next prompt has the sentences it was made of.
# Source: count_matching_turns in evermem/store.py and as_prompt in types.py of the wheel, _EXCLUSIVE_PATTERNS in extractor.py
# ("i (?:live|moved to)"), which look for no question mark; its README, "Conflict awareness" and "Command line" ("count
# matching sessions", "invalidate a wrong fact"). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "evermem-ai==0.4.1"
cd "$folder"
venv/bin/python - <<'PY' >seen
from evermem import EverMem

gym = EverMem("gym.db")
for number, text in enumerate((
    "I went to the gym",
    "I skipped the gym, I was ill",
    "Should I go to the gym tomorrow?",
    "I want to go to the gym more often",
    "Anna went to the gym without me",
    "I did not go to the gym this week",
)):
    gym.observe(text, session_id=f"day {number}")
count = gym.aggregate("went to the gym")
print("went to the gym:", count.matching_sessions, "times")
lines = gym.recall("How often did I go to the gym?", session_id="question").as_prompt().splitlines()
print(*(line for line in lines if "events found" in line))

home = EverMem("home.db")


def told():
    """Return what the prompt says of the user's home."""
    lines = home.recall("Where do I live?", session_id="question").as_prompt().splitlines()
    return [line for line in lines if "York" in line or "Rome" in line or "location" in line]


for day in range(3):
    home.observe("I live in York", session_id=f"day {day}")
print(told()[0])
home.observe("Do I live in Rome?", session_id="day 3")
print(told()[0], "- conflicts:", home.conflicts())
print("forgotten:", home.forget(subject="user", predicate="location"))
print(*told(), sep="\n")
PY
cat seen
cat >expected <<'TEXT'
went to the gym: 6 times
Relevant events found in 6 separate conversations:
- user | location = york (trust 0.89, seen x3)
- user | location = rome (trust 0.85, seen x1) - conflicts: []
forgotten: 1
- user: I live in York
- user: I live in York
- user: I live in York
- user: Do I live in Rome?
TEXT
cmp seen expected
