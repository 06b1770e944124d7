#!/bin/sh
# ai-knot 0.12.0 (PyPI, CPython 3.11), a memory for agents that writes an "event date" beside what it tells the model. Said on
# Saturday, 28 November: "We meet on Friday" and "Kim starts on Monday" get the Friday and the Monday before, as each weekday
# does that has no "next", so every plan is over. "The day after tomorrow" is tomorrow. "1.5 years ago" is five years
# ago, "half a year ago" is the last year, and "5 days before Christmas" is five days before today. A date that stands in
# the sentence loses against "next week" beside it. Nothing marks a date as a guess; the tags for search have it too.
# Source: resolve_event_dates in ai_knot/_temporal.py of the wheel ("the same class of capability as dateparser"), whose
# result knowledge.py calls "surfaced verbatim at recall". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "ai-knot==0.12.0"
cd "$folder"
venv/bin/python - <<'PY'
from datetime import UTC, datetime

from ai_knot import KnowledgeBase

SATURDAY = datetime(2026, 11, 28, 14, tzinfo=UTC)
expected = {
    "We meet on Friday": "27 November 2026",
    "Kim starts on Monday": "23 November 2026",
    "We meet next Friday": "4 December 2026",
    "The club opens the day after tomorrow": "29 November 2026",
    "Anna moved to Leeds 1.5 years ago": "2021",
    "Anna left half a year ago": "2025",
    "Rent is due 5 days before Christmas": "23 November 2026",
    "The fair is on 12 December, next week Saturday": "5 December 2026",
}
seen = {}
for number, sentence in enumerate(expected):
    memory = KnowledgeBase(agent_id=f"agent-{number}")
    memory.add(sentence, event_time=SATURDAY)
    told = memory.recall(sentence, now=SATURDAY)
    print(told)
    seen[sentence] = told.partition("(event date: ")[2].rstrip(")")
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
