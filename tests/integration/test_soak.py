"""A model that repeats itself for months: what is remembered stays bounded, and is not doubled."""

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import combinations, cycle
from typing import Any

import pytest

from tests.adversarial.puppet import said_in
from tests.adversarial.runner import Place
from tests.fakes.builders import make_event
from tests.fakes.clock import ManualClock
from tests.fakes.model_server import FakeModelServer
from utils.app import App
from utils.build import build
from utils.common.config import load_settings
from utils.memory.verification.sentences import normalised
from utils.models.memory import Consent, Member, Memory
from utils.models.policy import MAX_WRITES_PER_HOUR
from utils.nlp.stemming import stems

MESSAGES = 1_500
DAYS = 14
MEMBERS = 6
A_BURST = 10
ALIKE = 0.8
MAX_DUPLICATES = 0.01
GUILD, CHANNEL = 1, 100

# What is said, what the model notes of it in its various moods, and the attribute it gives it.
THINGS: dict[str, tuple[tuple[str, ...], str]] = {
    "I have a dog named {x}": (
        ("has a dog named {x}", "has a dog called {x}", "owns a dog named {x}", "dog is named {x}"),
        "pet_name",
    ),
    "I live in {x}": (("lives in {x}", "living in {x}", "home is in {x}"), "home_city"),
    "I play {x} a lot": (("plays {x} a lot", "often plays {x}", "plays {x}"), "game"),
    "I love {x} music": (("loves {x} music", "{x} music is loved", "adores {x} music"), "music"),
    "I work at {x} as a cook": (
        ("works at {x} as a cook", "works as a cook at {x}", "is a cook at {x}"),
        "job",
    ),
    "I speak {x} fluently": (("speaks {x} fluently", "speaks fluent {x}", "speaks {x}"), "speaks"),
}
VALUES = ("Rexo", "Lunara", "Brixton", "Zelmar", "Quento", "Orvik", "Tamsen", "Wexley")


@dataclass
class Parrot:
    """A model that notes the same things over and over, each time in other words."""

    dice: random.Random = field(default_factory=lambda: random.Random(7))

    def extract(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return a note for everything that was said."""
        _, said = said_in(request["messages"][-1]["content"])
        return {
            "memories": [note for _, text in said[:10] for note in self._notes(text)],
            "profile_update": None,
        }

    def _notes(self, text: str) -> Iterator[dict[str, Any]]:
        value = next(one for one in VALUES if one in text)
        wordings, attribute = THINGS[text.replace(value, "{x}")]
        yield {
            "note": self.dice.choice(wordings).format(x=value) + self.dice.choice(("", ".", "!")),
            "topics": [attribute],
            "importance": self.dice.choice(("low", "medium", "high")),
            "kind": "fact",
            "message": "",
            "attribute": attribute,
            "until": self.dice.choice(("permanent", "30d")),
            "confirms": None,
            "quote": text,
            "replaces": None,
        }


def duplicates(rows: list[Memory]) -> int:
    """How many rows say what another of the member says: in the same words, or nearly so."""
    found = set()
    for one, other in combinations(rows, 2):
        left, right = set(stems(one.text)), set(stems(other.text))
        is_near = len(left & right) >= ALIKE * max(1, len(left | right))
        if normalised(one.text) == normalised(other.text) or is_near:
            found.add(other.id)
    return len(found)


def sentences() -> Iterator[str]:
    """Everything that there is to say, again and again, never twice in the same order."""
    dice = random.Random(3)
    everything = [pattern.format(x=value) for pattern in THINGS for value in VALUES]
    for _ in cycle([None]):
        dice.shuffle(everything)
        yield from everything


async def live_for_weeks(app: App, clock: ManualClock, rows_of_day: list[int]) -> None:
    """Let the members speak ``MESSAGES`` times in all, and have every day pruned."""
    place = Place(GUILD, CHANNEL, frozenset({CHANNEL}), is_open=True)
    speech = {user_id: sentences() for user_id in range(1, MEMBERS + 1)}
    bursts = MESSAGES // A_BURST
    for number in range(bursts):
        user_id = number % MEMBERS + 1
        for _ in range(A_BURST):
            event = make_event(
                next(speech[user_id]),
                guild_id=GUILD,
                channel_id=CHANNEL,
                author_id=user_id,
                created_at=clock.now(),
            )
            await app.memory.recorder.record(event, place.audience)
        if user_id == MEMBERS:  # nobody has more than one burst waiting
            await app.memory.recorder.settle()
        clock.jump(timedelta(days=DAYS) / bursts)
        if number % (bursts // DAYS) == 0:
            await app.admin.job_runs.prune()
            rows_of_day.append(len(await everybodys_rows(app)))
    await app.memory.recorder.settle()
    await app.admin.job_runs.prune()


async def everybodys_rows(app: App) -> list[Memory]:
    """Return the live rows of all members."""
    found = [await app.memory.member_data.show(Member(GUILD, one)) for one in range(1, MEMBERS + 1)]
    return [row for shown in found for row in shown.rows]


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_fifteen_hundred_messages_leave_no_doubles(sqlite_url):
    clock = ManualClock()
    rows_of_day: list[int] = []
    async with FakeModelServer() as server:
        server.extract_with(Parrot().extract)
        settings = load_settings(
            env_file=None,
            database_url=sqlite_url,
            openai_base_url=server.base_url,
            daily_token_budget=1_000_000_000,
        )
        app = build(settings, clock)
        await app.start()
        try:
            # So that it is the merging, and no limit on writing, that bounds the rows.
            most = {"writes_per_session": 100, "writes_per_hour": MAX_WRITES_PER_HOUR}
            await app.guilds.settings.set_policy(GUILD, most, actor_id=1, reason="soak")
            for user_id in range(1, MEMBERS + 1):
                await app.memory.editor.set_consent(Member(GUILD, user_id), Consent.LASTING)
            await live_for_weeks(app, clock, rows_of_day)
            rows = await everybodys_rows(app)
        finally:
            await app.close()
    of_member = defaultdict(list)
    for row in rows:
        of_member[row.user_id].append(row)
    doubled = sum(map(duplicates, of_member.values()))
    share = doubled / len(rows)
    print(f"{len(rows)} live rows, {doubled} doubled ({share:.2%}), {rows_of_day}")
    most = MEMBERS * len(VALUES) * sum(len(wordings) for wordings, _ in THINGS.values())
    assert MEMBERS * len(THINGS) <= len(rows) <= most
    assert max(rows_of_day[len(rows_of_day) // 2 :]) <= len(rows) * 1.1  # long since level
    assert share < MAX_DUPLICATES
