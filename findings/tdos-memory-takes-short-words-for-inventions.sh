#!/bin/sh
# tdos-memory 1.0.0 with pydantic 2.12.5 (PyPI, CPython 3.11), the memory of a Discord bot ("typed, decaying"). A fact is believed
# when its words stand in the summary, but words of up to three letters do not count and a fact without longer ones is rejected as
# an invention: that somebody has a cat, has a son or is 31 is never stored, though the summary says so word for word. "10% every 30
# days" is taken off what is left at each call, by the whole age: run once a day, a fact of 0.9 that was said 30 days ago falls to
# 0.2 within a week and is removed. Its scheduled maintenance, which is to run this, calls it with arguments that it does not have,
# so that it decays nothing at all and says so among "errors" only. A time that is written with its zone raises TypeError.
# Source: its README ("USER_FACT loses 10% confidence every 30 days", "Below 0.3"); validate_fact_against_summary() in
# extraction.py, apply_decay() in decay.py, run_maintenance() in maintenance.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "tdos-memory==1.0.0" "pydantic==2.12.5"
cd "$folder"
venv/bin/python -W ignore - >seen <<'PY'
import json
import logging
from datetime import datetime, timedelta

from tdos_memory import apply_decay, extract_facts_from_summary
from tdos_memory.maintenance import run_maintenance

SUMMARY = "The user is 31. User has a cat. User has a son. User has a parrot. They talked about all of it."
FACTS = ["User is 31", "User has a cat", "User has a son", "User has a parrot"]


def model(prompt, user_id, chat_history):
    """Stand for a model that answers with facts as the summary has them."""
    return json.dumps([{"text": fact, "confidence": 0.95, "category": "life"} for fact in FACTS])


kept = extract_facts_from_summary(SUMMARY, "ada", llm_chat_fn=model)
print("said:", FACTS)
print("kept:", [fact["text"] for fact in kept])

said = datetime(2026, 1, 1)
facts = [{"text": "User has a parrot", "type": "USER_FACT", "confidence": 0.9, "last_confirmed": said}]
steps = []
for day in range(30, 38):
    facts = apply_decay(facts, reference_date=said + timedelta(days=day, hours=1))
    steps.append(round(facts[0]["confidence"], 1) if facts else "removed")
print("confidence, day 30 to 37:", steps)


class Collection:
    """A collection of MongoDB with one profile; nothing is ever to be archived."""

    updates = 0
    profile = {"_id": 1, "user_id": "ada", "guild_id": "g", "creative_profile": {"memorable_facts": [
        {"text": "User has a parrot", "type": "USER_FACT", "confidence": 0.9, "last_confirmed": said}]}}

    def find(self, *_):
        return [self.profile]

    def update_one(self, *_):
        Collection.updates += 1

    def update_many(self, *_):
        return type("Result", (), {"modified_count": 0})


logging.disable(logging.CRITICAL)
client = {"Abby_Database": {"discord_profiles": Collection(), "chat_sessions": Collection()}}
done = run_maintenance(storage_client=client)
print("maintenance:", done["facts_decayed"], "decayed,", Collection.updates, "updates,", done["errors"])
try:
    apply_decay([{"text": "x", "last_confirmed": "2026-01-01T00:00:00Z"}])
except TypeError as error:
    print("a time with its zone:", error)
PY
cat seen
cat >expected <<'TEXT'
said: ['User is 31', 'User has a cat', 'User has a son', 'User has a parrot']
kept: ['User has a parrot']
confidence, day 30 to 37: [0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 'removed', 'removed']
maintenance: 0 decayed, 0 updates, [{'step': 'decay', 'error': "apply_decay() got an unexpected keyword argument 'decay_factor'"}]
a time with its zone: can't subtract offset-naive and offset-aware datetimes
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
