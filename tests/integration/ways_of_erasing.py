"""Every way in which what a member said comes to be erased, done in a Household to what one message
taught: each takes the household and that message's event."""

from tests.fakes.builders import GUILD
from tests.integration.residue import ADA, THREAD, WORD
from utils.models.memory import Consent


async def forget_memory(home, event):
    for row in (await home.member_data.show(ADA)).rows:
        if WORD in row.text:
            assert await home.keeper.forget(ADA, row.id)


async def forget_all(home, event):
    await home.keeper.forget_all(ADA)


async def want_nothing_kept(home, event):
    await home.keeper.set_consent(ADA, Consent.OFF)


async def delete(home, event):
    await home.keeper.retention.retract(GUILD, [event.message_id])


async def edit(home, event):
    await home.edit(event, "likes nothing much")


async def delete_channel(home, event):
    await home.retention.erase_channels(GUILD, [THREAD])


async def leave(home, event):
    await home.retention.record_departure(ADA)
    home.clock.advance(days=30)
    assert (await home.prune()).by_reason["members"] == {GUILD: 1}


async def remove_server(home, event):
    await home.retention.update_servers([GUILD + 8], lambda _: True)
    home.clock.advance(days=7)
    assert (await home.prune()).by_reason["servers"] == {GUILD: 1}


async def erase(home, event):
    await home.retention.erase_member(ADA.user_id)
