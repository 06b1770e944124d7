"""Reminders: what may be stored, and which of two processes delivers."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.fakes.builders import ADA, BOB, CHANNEL, make_rules
from tests.fakes.clock import NOON, ManualClock
from tests.fakes.faulty import away
from tests.rows import each_row
from utils.common.errors import BadInput
from utils.database.core.engine import Database
from utils.database.memories import members
from utils.memory.member_data.reminders import (
    HELD_FOR,
    MAX_LATE,
    MAX_REMINDERS,
    ReminderRequest,
    Reminders,
)
from utils.models.memory import Member

ZONE = ZoneInfo("UTC")


def service(database: Database, clock: ManualClock) -> Reminders:
    reminders = Reminders(database, clock, make_rules())
    reminders.can_deliver = True
    return reminders


def request(text: str = "tea", when: str = "in 2 hours", who: Member = ADA) -> ReminderRequest:
    return ReminderRequest(who, text, when, CHANNEL, CHANNEL, 77)


def every(_guild_id: int) -> bool:
    return True


async def test_of_many_processes_one_delivers_and_another_tries_again_later(
    database: Database,
) -> None:
    reminders = service(database, clock := ManualClock())
    assert (await reminders.add(request(), ZONE)).due_at == clock.now() + timedelta(hours=2)
    assert await reminders.due(every) == []
    clock.advance(hours=2)
    (due,) = await reminders.due(every)
    assert await reminders.due(lambda guild_id: False) == []
    others = [service(database, clock) for _ in range(3)]
    assert sorted(await asyncio.gather(*(other.claim(due) for other in others))) == [
        *(False, False, True)
    ]
    assert await reminders.due(every) == []
    clock.advance(seconds=HELD_FOR.total_seconds())
    (again,) = await reminders.due(every)
    assert again.offers == 1
    assert again.first_offered_at is not None
    assert await reminders.claim(again)
    await reminders.finish(again)
    assert await reminders.of_member(ADA) == []


async def test_what_is_missed_for_a_week_is_not_delivered_any_more(database: Database) -> None:
    reminders = service(database, clock := ManualClock())
    await reminders.add(request(), ZONE)
    clock.advance(seconds=(MAX_LATE + timedelta(hours=2)).total_seconds())
    assert await reminders.due(every) == []


async def test_what_is_skipped_while_it_is_delivered_stays_skipped(database: Database) -> None:
    reminders = service(database, clock := ManualClock())
    stored = await reminders.add(request(when="every day at 13:00"), ZONE)
    clock.advance(hours=2)
    (due,) = await reminders.due(every)
    assert await reminders.claim(due)
    assert await reminders.skip(ADA, stored.id) is not None
    again = await reminders.skip(ADA, stored.id)
    await reminders.finish(due)
    (left,) = await reminders.of_member(ADA)
    assert again is not None
    assert left.due_at == again.due_at == NOON + timedelta(days=2, hours=1)
    with away(database), pytest.raises(BadInput):  # which is said without the database
        await Reminders(database, clock, make_rules(read_only=True)).skip(ADA, stored.id)


async def test_a_member_has_a_limit_and_the_same_reminder_only_once(database: Database) -> None:
    reminders = service(database, clock := ManualClock())
    for number in range(MAX_REMINDERS):
        await reminders.add(request(f"thing {number}"), ZONE)
    await reminders.add(replace(request("thing 3"), message_id=78), ZONE)
    clock.advance(seconds=99)
    await reminders.add(request("thing 3"), ZONE)  # the message is answered again
    with pytest.raises(BadInput, match="at most 25"):
        await reminders.add(replace(request("thing 3"), message_id=78), ZONE)
    await reminders.add(request(who=BOB), ZONE)
    assert len(await reminders.of_member(ADA)) == MAX_REMINDERS


@each_row(
    ("text", "when", "words"),
    [
        ("tea", "some day", "understand when"),
        ("tea", "2020-01-01", "is over"),
        ("...", "tomorrow", "no words"),
        ("x" * 301, "tomorrow", "too long"),
        ("my password is hunter2secret", "tomorrow", "never note"),
        ("tea", "in 5 weeks", "30 days"),
    ],
)
async def test_what_may_not_be_stored_is_refused_with_its_reason(
    database: Database, text: str, when: str, words: str
) -> None:
    reminders = service(database, ManualClock())
    with pytest.raises(BadInput, match=words):
        await reminders.add(request(text, when), ZONE)
    reminders.can_deliver = False
    with pytest.raises(BadInput, match="on Discord"):
        await reminders.add(request(), ZONE)


async def test_a_zone_that_is_not_known_any_more_gives_way_to_the_servers(
    database: Database,
) -> None:
    reminders = service(database, ManualClock())
    assert (await reminders.zone(ADA, "Europe/Rome")).key == "Europe/Rome"
    with away(database), pytest.raises(BadInput, match="no time zone"):
        await reminders.set_zone(ADA, "Gotham")
    assert await reminders.set_zone(ADA, "tokyo") == "Asia/Tokyo"
    assert (await reminders.zone(ADA, "Europe/Rome")).key == "Asia/Tokyo"
    await database.write(members.choose, ADA, time_zone="Old/Zone")
    assert (await reminders.zone(ADA, "Europe/Rome")).key == "Europe/Rome"
