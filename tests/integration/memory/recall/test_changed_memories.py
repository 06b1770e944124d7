"""Recall sees how memories have changed, whichever way and in whichever process."""

from functools import partial

from sqlalchemy import delete, insert, update

from tests.fakes.builders import (
    ADA,
    CHANNEL,
    GUILD,
    NOON,
    audience,
    days,
    make_event,
    make_memory_service,
    make_reader,
)
from tests.integration.memory.member_data.test_search import remember
from utils.database.erasure import note_context
from utils.database.memories import (
    members,
    memories,
    memory_history,
)
from utils.database.messages import events
from utils.database.schema.memory_tables import memory_context, user_memory
from utils.models.guild import GuildSettings
from utils.models.memory import (
    Consent,
    Evidence,
    Importance,
    Method,
    Status,
)
from utils.models.plan import Confirmation, Plan
from utils.models.recall import Person
from utils.models.transfer import Statement

QUESTION = "Which dog, oboe, harp or lake?"
LOST = "has a dog named Rex"


async def recalled(reader):
    """Return all that a recall says of Ada: the block, and every match with its score."""
    recall = await reader.recall(
        audience(CHANNEL, channel_id=555),
        [Person(ADA.user_id, "Ada")],
        QUESTION,
        settings=GuildSettings(GUILD),
    )
    matches = recall.matches_by_user.get(ADA.user_id)
    return recall.block, [
        [(match.row, round(match.score, 9)) for match in ranked]
        for ranked in ((matches.rows, matches.messages) if matches else ())
    ]


def seen(message_id, text):
    return Evidence(message_id, CHANNEL, text, Method.MODEL, NOON)


async def learn(database, text, **given):
    """Remember as the program does: under the member's lock."""
    await under_lock(database, lambda connection: None)
    return await remember(database, text, **given)


async def under_lock(database, change):
    def unit(connection):
        members.lock(connection, ADA)
        change(connection)

    await database.write(unit)


def confirm(connection, row_id, other_id, status=Status.ACTIVE):
    evidence = seen(77, "Rex again")
    again = Confirmation(row_id, 0.5, Importance.HIGH, None, status, evidence)
    memories.apply_plan(connection, ADA, Plan(confirmations=(again,)), now=NOON, actor_id=0)


def fall_back(connection, row_id, other_id):
    values = {"GuildId": GUILD, "ContextMessageId": 80, "ContextMemoryId": 0, "MemoryId": row_id}
    connection.execute(insert(memory_context).values(values))
    note_context.fall_back(connection, ADA, message_ids=[80], memory_ids=[], now=NOON)


def rest_on_another_message(connection, row_id, other_id):
    event = make_event("The lake was cold today", stems="lake cold today", message_id=79)
    events.insert(connection, event, NOON + days(300))
    memories.add_evidence(connection, ADA, row_id, [seen(79, event.text)])


def values(**values):
    def change(connection, row_id, other_id):
        query = update(user_memory).where(user_memory.c.Id == row_id).values(values)
        connection.execute(query)

    return change


CHANGES = {
    "confirmed": confirm,
    "shadowed": partial(confirm, status=Status.SHADOW),
    "waiting": lambda connection, row_id, other_id: memory_history.mark_proposed(
        connection, [row_id]
    ),
    "a quote again": fall_back,
    "in another channel": values(ChannelId=999),
    "other words": values(Memory="plays the harp", SearchStems="play harp"),
    "over": values(ExpiresAt=NOON - days(1)),
    "of another message": rest_on_another_message,
    "removed": lambda connection, row_id, other_id: memories.remove(
        connection, ADA, [row_id], "removed", now=NOON, actor_id=0
    ),
    "deleted": lambda connection, row_id, other_id: connection.execute(
        delete(user_memory).where(user_memory.c.Id == row_id)
    ),
}


async def test_what_another_process_changes_is_recalled_as_it_is_now(database, other, clock):
    reader = make_reader(database, clock)
    for number, (way, change) in enumerate(CHANGES.items(), 1):
        texts = [f"has dog {number} named Rex", f"swims in lake {number}"]
        ids = [await learn(other, text, id=10 * number + place) for place, text in enumerate(texts)]
        before = await recalled(reader)
        assert texts[0] in str(before), way
        # so that as many are stored as before, if one goes
        await learn(other, f"plays oboe {number}", id=10 * number + 5)
        await under_lock(other, partial(change, row_id=ids[0], other_id=ids[1]))
        now = await recalled(reader)
        assert now == await recalled(make_reader(other, clock)), way
        assert now != before, way


async def test_corrections_and_what_is_undone_forgotten_and_over_are_seen_at_once(
    database, other, clock
):
    reader = make_reader(database, clock)
    first_id = await learn(database, LOST)
    await learn(database, "plays the harp", expires_at=NOON + days(2))
    service = make_memory_service(other, clock)

    async def shown():
        block, _ = now = await recalled(reader)
        assert now == await recalled(make_reader(other, clock))
        return block

    assert "Rex" in await shown()
    new = await service.correct(ADA, first_id, Statement("has a dog named Max", 5, CHANNEL))
    assert ("Rex" in (block := await shown()), "Max" in block) == (False, True)
    await service.undo(ADA, new.id)
    assert ("Rex" in (block := await shown()), "Max" in block) == (True, False)
    assert await service.forget(ADA, first_id)
    assert ("Rex" in (block := await shown()), "harp" in block) == (False, True)
    await learn(other, "plays the oboe", expires_at=None)
    clock.jump(days(3))
    assert ("harp" in (block := await shown()), "oboe" in block) == (False, True)
    await service.set_consent(ADA, Consent.OFF)
    assert await shown() == ""


async def test_a_message_is_not_quoted_once_its_note_is_corrected_until_that_is_undone(
    database, clock
):
    reader = make_reader(database, clock)
    service = make_memory_service(database, clock)
    event = make_event("My dog is named Rex you know", stems="dog name rex know", message_id=81)
    await database.write(events.insert, event, NOON + days(300))
    row_id = await learn(database, LOST, id=81)  # its evidence is that message
    assert "Rex" in (await recalled(reader))[0]
    new = await service.correct(ADA, row_id, Statement("has a dog named Max", 5, CHANNEL))
    block, _ = await recalled(reader)
    assert ("Rex" in block, "Max" in block) == (False, True)
    await service.undo(ADA, new.id)
    assert "Rex" in (await recalled(reader))[0]
