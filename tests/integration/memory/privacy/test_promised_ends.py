"""What is neither a message nor a memory ends when docs/privacy.md says it does."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Table, insert, select

from tests.fakes.builders import ADA, CHANNEL, GUILD, audience
from tests.fakes.clock import ManualClock
from utils.database.core.queries import run
from utils.database.messages import events
from utils.database.schema.memory_tables import (
    account_link,
    alert,
    daily_count,
    history_import,
    moderator_action,
    shadow_recall,
)
from utils.memory.privacy import pruning
from utils.memory.privacy.pruning import prune
from utils.models.alert import ActionKind, AlertState
from utils.models.guild import GuildSettings
from utils.models.memory import Consent
from utils.models.operator import CounterName
from utils.models.policy import WritePolicy
from utils.models.recall import Person
from utils.models.sentiment import AlertTrigger


def an_alert(at: datetime, state: AlertState) -> dict[str, Any]:
    return {
        "GuildId": GUILD,
        "PlaceId": CHANNEL,
        "State": state,
        "Signal": AlertTrigger.TOXICITY,
        "Level": 0.9,
        "Threshold": 0.8,
        "OpenedAt": at,
        "ChangedAt": at,
        "Shown": 0,
        "DecidedById": 0,
    }


def a_decided_alert(at: datetime) -> dict[str, Any]:
    return an_alert(at, AlertState.DISMISSED)


def a_case(at: datetime) -> dict[str, Any]:
    return an_alert(at, AlertState.CASE)


def an_action(at: datetime) -> dict[str, Any]:
    return {
        "GuildId": GUILD,
        "AlertId": at.toordinal(),
        "Act": ActionKind.WARN,
        "UserId": ADA.user_id,
        "ActorId": 9,
        "At": at,
        "Amount": 0,
        "Done": True,
    }


def a_count(at: datetime) -> dict[str, Any]:
    day = at.date().isoformat()
    return {"GuildId": GUILD, "Day": day, "Name": next(iter(CounterName)), "Label": "", "Count": 1}


def a_link(at: datetime) -> dict[str, Any]:
    return {"GuildId": GUILD, "UserId": at.toordinal(), "OtherId": ADA.user_id, "At": at}


def an_import(at: datetime) -> dict[str, Any]:
    key = {"GuildId": GUILD, "ChannelId": CHANNEL, "FileKey": str(at.toordinal())}
    return {**key, "LastMessageId": 1, "ChangedAt": at}


def a_comparison(at: datetime) -> dict[str, Any]:
    numbers = dict.fromkeys(("MessageId", "ActiveVersion", "ShadowVersion"), 1)
    sizes = dict.fromkeys(("ActiveTokens", "ShadowTokens", "ActiveMs", "ShadowMs"), 1)
    ids = {"ActiveIds": "1", "ShadowIds": "2"}
    return {"At": at, "GuildId": GUILD, "UserId": ADA.user_id, **numbers, **sizes, **ids}


@pytest.mark.parametrize(
    ("table", "row", "days"),
    [
        (alert, a_decided_alert, 31),
        (alert, a_case, 91),
        (moderator_action, an_action, 365),
        (daily_count, a_count, 400),
        (shadow_recall, a_comparison, 30),
        (account_link, a_link, 1),
        (history_import, an_import, 90),
    ],
    ids=[
        "alerts",
        "cases",
        "moderators' actions",
        "daily counts",
        "comparisons of policies",
        "unconfirmed links",
        "the progress of imports",
    ],
)
async def test_it_is_gone_after_the_promised_days_and_not_before(
    database, table: Table, row: Any, days: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pruning, "BATCH", 2)  # three old rows are more than one batch
    monkeypatch.setattr(pruning, "PAUSE_S", 0)
    clock = ManualClock()
    too_old = clock.now() - timedelta(days=days + 1)
    young = clock.now() - timedelta(days=days - 1)
    columns = list(row(young))
    older = [row(too_old - timedelta(days=n)) for n in range(3)]
    await database.write(lambda c: c.execute(insert(table), [*older, row(young)]))
    await prune(database, clock, WritePolicy())

    def left(connection: Any) -> list[dict[str, Any]]:
        rows = connection.execute(select(*(table.c[name] for name in columns)))
        return [dict(found._mapping) for found in rows]

    assert await database.read(left) == [row(young)]


async def told_of_zanzibar(home):
    """Where a memory and its message are still found: shown, recalled, in the conversation."""
    settings = GuildSettings(GUILD)
    recall = await home.reader.recall(
        audience(), [Person(ADA.user_id, "Ada")], "zanzibar?", settings=settings
    )
    turns = await home.database.read(run, events.last_turns(GUILD, CHANNEL, 10, home.clock.now()))
    return {
        "shown": bool((await home.member_data.show(ADA)).rows),
        "recalled": "zanzibar" in recall.block,
        "in the conversation": any("zanzibar" in turn.text for turn in turns),
    }


async def test_what_ends_at_this_moment_is_over_and_a_microsecond_before_it_is_not(home):
    await home.keeper.set_consent(ADA, Consent.TEMPORARY)
    await home.tell("likes zanzibar")
    home.clock.jump(timedelta(days=30) - timedelta(microseconds=1))
    assert await told_of_zanzibar(home) == {
        "shown": True,
        "recalled": True,
        "in the conversation": True,
    }
    home.clock.jump(timedelta(microseconds=1))
    assert await told_of_zanzibar(home) == {
        "shown": False,
        "recalled": False,
        "in the conversation": False,
    }
    report = await prune(home.database, home.clock, WritePolicy())
    assert report.by_reason["expired"] == {GUILD: 1}
