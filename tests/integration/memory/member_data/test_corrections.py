"""A correction rests on the member's own words in a command, which no deletion on Discord takes."""

from dataclasses import replace

from tests.fakes.builders import CHANNEL, GUILD, make_event
from tests.integration.residue import ADA, WORD
from utils.models.transfer import BY_COMMAND, Statement

TYPED_IN = 4711
INTERACTION = 999_555


async def corrected(home, text="lives in Oslo", **given):
    """Have Ada say that she lives in Rome and correct it; returns her message and the new row."""
    event = await home.tell("home: lives in Rome", **given)
    (row,) = (await home.member_data.show(ADA)).rows
    said = Statement(text, INTERACTION, TYPED_IN)
    return event, await home.keeper.correct(ADA, row.id, said)


async def test_a_correction_outlives_the_channel_it_was_typed_in(home):
    await corrected(home)
    await home.tell("likes tea", channel_id=TYPED_IN)
    assert await home.retention.erase_channels(GUILD, [TYPED_IN]) == 2
    assert await home.known() == ["lives in Oslo"]
    assert await home.profile() == "Lives in Oslo."


async def test_a_correction_outlives_the_message_it_corrects(home):
    event, row = await corrected(home)
    await home.keeper.retention.retract(GUILD, [event.message_id])
    assert await home.known() == ["lives in Oslo"]
    assert await home.profile() == "Lives in Oslo."
    why = await home.member_data.why(ADA, row.id)
    assert why.past == ()
    assert [one.model for one in why.evidence] == [BY_COMMAND]
    assert await home.residue("rome") == []


async def test_a_correction_outlives_the_channel_of_what_it_corrects_and_is_told_nowhere_else(home):
    elsewhere = 815
    _, row = await corrected(home, channel_id=elsewhere)
    await home.retention.erase_channels(GUILD, [elsewhere])
    assert await home.known() == ["lives in Oslo"]
    (left,) = (await home.member_data.show(ADA)).rows
    assert left.channel_id == elsewhere
    assert (await home.member_data.show(ADA, frozenset({CHANNEL, TYPED_IN}))).rows == ()
    assert row.id == left.id


async def test_a_command_is_no_message_that_could_be_deleted_or_looked_for(home):
    event, row = await corrected(home)
    await home.keeper.retention.retract(GUILD, [INTERACTION])
    assert (await home.member_data.why(ADA, row.id)).past
    await home.keeper.retention.retract(GUILD, [event.message_id, INTERACTION])
    assert await home.known() == ["lives in Oslo"]
    for guild_id, channel_id in await home.retention.channels_to_compare():
        assert INTERACTION not in await home.retention.stored_revisions(
            guild_id, channel_id, None, 100
        )


async def test_nightly_tidying_counts_a_command_as_evidence(home):
    event, _ = await corrected(home)
    await home.keeper.retention.retract(GUILD, [event.message_id])
    assert "unsupported" not in (await home.prune()).by_reason
    assert await home.known() == ["lives in Oslo"]


async def test_a_correction_goes_when_its_member_leaves(home):
    await corrected(home, f"lives in {WORD}")
    await home.retention.record_departure(ADA)
    home.clock.advance(days=31)
    await home.prune()
    assert await home.known() == []
    assert await home.residue() == []


async def test_what_a_member_had_remembered_of_a_message_goes_with_the_message(home):
    event = replace(make_event("I like old tea"), created_at=home.clock.now())
    await home.keeper.remember(ADA, event, event.text)
    await home.keeper.retention.retract(GUILD, [event.message_id])
    assert await home.known() == []
