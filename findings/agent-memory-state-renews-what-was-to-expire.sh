#!/bin/sh
# agent-memory-state 0.1.0 (PyPI, CPython 3.11), a long-term memory of notes, each with a date and, if wished, the days
# until it expires. After a conversation a model merges the session's notes into the lasting ones and hands back texts
# alone: every note is then of today and expires never, also those that nobody touched. "Wants no calls this week" is for
# good, and a home of two years ago is as new as the move, so that "the most recent wins" has nothing to go by. What has
# expired is still put before the model that merges, and before the one that answers. With a limit for the notes, the
# session's first one is shown and not its last.
# Source: its README ("ttl: Days until expiry", "Resolves conflicts (recent wins)"), agent_memory/consolidation.py
# ("Remove expired notes") and injection.py ("Prioritize session notes") of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "agent-memory-state==0.1.0" "pyyaml==6.0.3"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
import asyncio
import json
from datetime import datetime, timedelta
from types import SimpleNamespace

from agent_memory import MemoryManager


class Model:
    """Keeps every note as it stands, in the form that the package asks for."""

    def __init__(self, texts):
        self.chat = SimpleNamespace(completions=self)
        self._answer = json.dumps([{"text": text, "keywords": [], "confidence": 1.0} for text in texts])

    async def create(self, messages, **_):
        self.prompt = messages[0]["content"]
        message = SimpleNamespace(content=self._answer)
        return SimpleNamespace(choices=[SimpleNamespace(message=message)])


def aged(note, days):
    """Make a note that many days older."""
    note.created_at = note.last_update = datetime.now() - timedelta(days=days)


manager = MemoryManager()
state = manager.load_user("kim")
aged(state.add_global_note("Lives in Oslo"), 700)
aged(state.add_global_note("Wants no calls this week", ttl=7), 6)
aged(state.add_global_note("Is on holiday", ttl=14), 30)
state.add_session_note("Is allergic to nuts")
state.add_session_note("Has moved to Rome")
print("expired, yet shown:", "Is on holiday" in state.to_system_prompt())
print("the one note of the session that is shown:", state.to_system_prompt(max_notes=1).splitlines()[-1].split(" (")[0])
model = Model([note.text for note in [*state.global_memory, *state.session_memory]])
asyncio.run(manager.consolidate(state, model))
manager.save(state)
print("expired, yet merged:", "Is on holiday" in model.prompt)
for note in state.global_memory:
    print(f"{note.text}: {(datetime.now() - note.last_update).days} days old, expires after {note.ttl}")
PY
cat >expected <<'TEXT'
expired, yet shown: True
the one note of the session that is shown: - [SESSION] Is allergic to nuts
expired, yet merged: True
Lives in Oslo: 0 days old, expires after None
Wants no calls this week: 0 days old, expires after None
Is on holiday: 0 days old, expires after None
Is allergic to nuts: 0 days old, expires after None
Has moved to Rome: 0 days old, expires after None
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
