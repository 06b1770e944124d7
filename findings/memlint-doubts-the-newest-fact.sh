#!/bin/sh
# memlint 0.1.6 (PyPI, CPython 3.11), which tells stale memories of an agent "before it lies to you". Two facts
# contradict each other if both have a word of its list for their kind, and are more than a day apart: "Anna likes tea"
# and "Ben likes football". Both get the penalty, the newest too, with the reason that "a newer conflicting fact
# exists". The words are looked for within words: an allergy to nuts and "adjust recipes" has "just", so it is an
# episode, which is discarded after 16 days; without "adjust" it is in use after 80.
# Source: CATEGORY_KEYWORDS and _rule_based_classify in memlint/classifier.py, _are_contradictory in memlint/scorer.py
# of the wheel. The README: contradictions are "two facts about the same topic where a newer one exists", "older one
# flagged". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "memlint==0.1.6"
cd "$folder"
venv/bin/python - <<'PY'
from datetime import datetime, timedelta

from memlint import MemoryFact, StaleDetector


def judged(*facts):
    """Return kind, recommendation, and whether a newer conflicting fact exists, of facts that are some days old."""
    now = datetime.now()
    facts = [
        MemoryFact(id=text, content=text, created_at=now - timedelta(days=days))
        for text, days in facts
    ]
    results = StaleDetector().check(facts).results
    return {
        result.content: (result.category.value, result.recommendation, "a newer" in result.reason)
        for result in results
    }


seen = judged(("Anna likes tea", 20), ("Ben likes football", 2))
seen |= judged(("Anna likes tea.", 20))
seen |= judged(("User's mother is called Rosa", 300), ("User's dog is called Rex", 5))
seen |= judged(("User has a nut allergy, adjust recipes", 17), ("User has a nut allergy, change meals", 80))
for text, result in seen.items():
    print(f"{text}: {result}")
expected = {
    "Anna likes tea": ("preference", "verify", True),
    "Ben likes football": ("preference", "verify", True),
    "Anna likes tea.": ("preference", "use", False),
    "User's mother is called Rosa": ("identity", "verify", True),
    "User's dog is called Rex": ("identity", "verify", True),
    "User has a nut allergy, adjust recipes": ("episodic", "discard", False),
    "User has a nut allergy, change meals": ("unknown", "use", False),
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
