#!/bin/sh
# llm-chatbot-kit 0.1.0 with discord.py 2.7.1 and openai 3.57.0 (PyPI, CPython 3.11), a Discord bot for language models.
# The owner is told when half, 80 % and all of a day's budget are spent: on one day of the bot's life. A new day sets what
# was spent to 0 and keeps the highest warning that was given, also in its file over restarts, so who once spent a day's
# budget is never warned again. A streamed answer is posted in pieces of one or two lines; of a block of code, the mark
# that opens it is in one message and the one that closes it in another, so Discord shows most of its lines as plain
# text. What the file keeps for the next prompt has the block whole.
# Source: the README's "receive DM alerts on spend thresholds" and "natural message bursts"; rollover_if_needed in
# llm_chatbot/costs.py, _maybe_alert_owner in runtime_utils.py, send_stream_as_messages in streaming.py of the wheel.
# Stand-ins take the place of Discord and the calendar. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "llm-chatbot-kit==0.1.0" "discord.py==2.7.1" "openai==3.57.0"
cd "$folder"
venv/bin/python -W ignore - <<'PY'
import asyncio
import datetime
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from llm_chatbot import costs
from llm_chatbot.memory import MemoryStore
from llm_chatbot.runtime_utils import _maybe_alert_owner
from llm_chatbot.streaming import send_stream_as_messages

ANSWER = "Try this:\n```python\ntotal = 0\nfor price in prices:\n    total += price\nprint(total)\n```\nDone.\n"


class Words:
    """Texts of the bot; only the warning is asked for."""

    def t(self, name, **values):
        return f"{values['ratio']} %"


class Channel:
    """Keeps what is posted."""

    def __init__(self):
        self.posts = []

    async def send(self, text, **_):
        self.posts.append(text)

    @asynccontextmanager
    async def typing(self):
        yield


async def warnings_of(day, spent):
    """Return the warnings of a day on which so much was spent, after a restart of the bot."""
    store, owner = MemoryStore(Path("context.json")), Channel()
    store.set_budgets(daily_usd=1.0, monthly_usd=None)

    async def fetch_user(_):
        return owner

    today = SimpleNamespace(date=SimpleNamespace(today=lambda: datetime.date(2026, 11, day)))
    with mock.patch.object(costs, "dt", today):
        costs.rollover_if_needed(store.billing)
        store.billing.daily_usd += spent
        bot = SimpleNamespace(fetch_user=fetch_user)
        await _maybe_alert_owner(bot, SimpleNamespace(owner_id=1), store, Words())
    store.save()
    return owner.posts


async def posted():
    """Return the messages of a streamed answer."""

    async def lines():
        for line in ANSWER.splitlines(keepends=True):
            yield line

    channel = Channel()
    with mock.patch("llm_chatbot.streaming.random.random", lambda: 0.0):
        whole = await send_stream_as_messages(channel, lines(), rate_hz=1000)
    return channel.posts, whole == ANSWER


async def main():
    seen = {f"on day {day}, spent {spent}": await warnings_of(day, spent) for day, spent in ((1, 1.2), (2, 1.2), (3, 9.0))}
    posts, is_whole = await posted()
    seen["marks of code in each message"] = [post.count("```") for post in posts]
    seen["kept whole"] = is_whole
    return seen


seen = asyncio.run(main())
for what, result in seen.items():
    print(f"{what}: {result}")
expected = {
    "on day 1, spent 1.2": ["50 %", "80 %", "100 %"],
    "on day 2, spent 1.2": [],
    "on day 3, spent 9.0": [],
    "marks of code in each message": [0, 1, 0, 1, 0],
    "kept whole": True,
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
