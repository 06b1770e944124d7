"""The queue of erased answers that still stand on Discord."""

import pytest

from tests.fakes.builders import CHANNEL, GUILD
from utils.database.erasure import answer_removals
from utils.memory.privacy.answer_removals import KEEP_UNREACHABLE, AnswerRemovals

OTHER = 9


@pytest.fixture
def removals(database, clock):
    return AnswerRemovals(database, clock)


@pytest.fixture
def queue(database, clock):
    async def add(guild_id, *message_ids):
        posts = [(CHANNEL, message_id) for message_id in message_ids]
        await database.write(answer_removals.queue, guild_id, posts, clock.now())

    return add


async def due(removals, *guild_ids, limit=10):
    found = await removals.due(lambda guild_id: guild_id in guild_ids, limit)
    return [removal.message_id for removal in found]


async def test_each_process_deletes_in_its_own_servers_so_many_at_once(removals, queue):
    await queue(GUILD, 1, 2, 3)
    await queue(OTHER, 4)
    assert await due(removals, GUILD, limit=2) == [1, 2]
    assert await due(removals, OTHER) == [4]


async def test_where_no_process_is_for_three_days_it_is_given_up(removals, queue, clock):
    await queue(OTHER, 1)
    clock.advance(KEEP_UNREACHABLE.total_seconds())
    await queue(OTHER, 2)
    assert await due(removals, GUILD) == []
    clock.advance(1)
    assert await due(removals, GUILD, OTHER) == [1, 2], "Kith itself was away for so long"
    assert await due(removals, GUILD) == []
    assert await due(removals, GUILD, OTHER) == [2], "given up for good, not only passed over"
