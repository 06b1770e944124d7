"""Two processes at once on a server that does not queue writers: the other one acts in between.

It is played by a statement of the same unit of work, at the point where the other may come.
"""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError

from tests.fakes.builders import ADA, CHANNEL, GUILD, NOON
from tests.integration.memory.member_data.test_search import remember
from utils.database.core import queries
from utils.database.core.queries import insert_new
from utils.database.guilds import settings
from utils.database.memories import members, write_policies
from utils.database.schema.memory_tables import command_sync, user_memory, waiting_message
from utils.database.sentiment import tension, watched_channels
from utils.memory.privacy import pruning
from utils.models.guild import GuildSettings
from utils.models.memory import Event, Role
from utils.models.sentiment import PassiveMemory
from utils.sentiment import message_buffer


def act_before_the_insertion(monkeypatch, act):
    """Let ``act`` happen once, before the unit of work next inserts what may be there already."""
    refusable = queries.refusable

    def act_first(connection, **given):
        monkeypatch.setattr(queries, "refusable", refusable)
        act()
        return refusable(connection, **given)

    monkeypatch.setattr(queries, "refusable", act_first)


def message(message_id, text="hello", revision=0):
    said = Event(GUILD, CHANNEL, CHANNEL, message_id, ADA.user_id, "Ada", Role.MEMBER, text, NOON)
    return replace(said, revision=revision)


def watch(connection):
    watched_channels.add_channel(connection, GUILD, CHANNEL, PassiveMemory.OPT_IN, NOON)


def waiting(connection):
    columns = waiting_message.c
    query = select(columns.MessageId, columns.Text).order_by(*waiting_message.primary_key)
    return connection.execute(query).all()


async def test_taking_a_servers_row_changes_nothing_that_another_process_has_just_chosen(
    database, monkeypatch
):
    def unit(connection):
        pirates = GuildSettings(GUILD, mode="pirate")
        act_before_the_insertion(monkeypatch, lambda: settings.save(connection, pirates))
        write_policies.lock(connection, GUILD)
        return settings.load(connection, GUILD).mode

    assert await database.write(unit) == "pirate"


async def test_one_message_that_another_process_stored_fails_no_batch(database, monkeypatch):
    def unit(connection):
        watch(connection)
        theirs = message(2, "theirs")

        def store_theirs():
            message_buffer.store(connection, [theirs])

        act_before_the_insertion(monkeypatch, store_theirs)
        stored = message_buffer.store(connection, [message(1), message(2), message(3)])
        return [one.message_id for one in stored], waiting(connection)

    stored, found = await database.write(unit)
    assert stored == [1, 3]
    assert found == [(1, "hello"), (2, "theirs"), (3, "hello")]


async def test_a_batch_that_breaks_another_rule_is_not_taken_for_a_duplicate(database):
    rows = [{"ApplicationId": 1, "PayloadHash": "a"}, {"ApplicationId": 2, "PayloadHash": None}]
    with pytest.raises(IntegrityError):
        await database.write(insert_new, command_sync, rows)


async def test_an_older_revision_never_takes_the_place_of_a_newer_one(database, monkeypatch):
    def unit(connection):
        watch(connection)
        message_buffer.store(connection, [message(1)])
        known = tension.revisions

        def overtaken(*arguments):
            found = known(*arguments)
            newer = update(waiting_message).values(Text="newest", Revision=9)
            connection.execute(newer)
            return found

        monkeypatch.setattr(tension, "revisions", overtaken)
        message_buffer.store(connection, [message(1, "older", revision=5)])
        return waiting(connection)

    assert await database.write(unit) == [(1, "newest")]


async def test_what_is_said_again_while_it_expires_lives_on(database, monkeypatch):
    over, renewed = [
        await remember(database, text, expires_at=NOON - timedelta(days=1))
        for text in ("has a cold", "likes tea")
    ]
    lock = members.lock

    def said_again_first(connection, member):
        later = update(user_memory).where(user_memory.c.Id == renewed)
        connection.execute(later.values(ExpiresAt=NOON + timedelta(days=1)))
        lock(connection, member)

    monkeypatch.setattr(members, "lock", said_again_first)
    await database.write(pruning._expire, NOON)
    left = await database.read(
        lambda connection: connection.scalars(select(user_memory.c.Id)).all()
    )
    assert over not in left
    assert left == [renewed]
