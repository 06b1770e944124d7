"""The operator's list of memories in another order, members by name, and notes in new words."""

import pytest
from sqlalchemy import insert, update

from tests.fakes.builders import ADA, BOB, GUILD
from utils.common.errors import BadInput, Conflict
from utils.database.schema.memory_tables import memory_context, user_memory
from utils.models.admin import MemoryEdit
from utils.models.memory import Form, Status, VerifiedBy
from utils.models.operator import OPERATOR

# --- a note in new words --------------------------------------------------------------------------


async def test_a_notes_new_words_take_its_place_and_keep_what_it_rests_on(house):
    event = await house.tell("likes tee")
    old = await house.only(text="tee")
    new = await house.browser.change(old.id, MemoryEdit(text=" likes\ntea "), "a typing error")
    assert (new.text, new.kind, new.status) == ("likes tea", old.kind, Status.ACTIVE)
    assert (new.expires_at, new.last_confirmed_at) == (old.expires_at, old.last_confirmed_at)
    detail = await house.browser.item(new.id)
    assert [row.id for row in detail.past] == [old.id]
    (entry,) = detail.evidence
    assert (entry.message_id, entry.verified_by) == (event.message_id, VerifiedBy.MODERATOR)
    assert {(line.action, line.actor_id) for line in detail.audit} == {
        ("learnt", OPERATOR),
        ("changed", OPERATOR),
    }
    assert '"reason": "a typing error"' in detail.audit[0].after
    assert await house.known() == ["likes tea"] and await house.profile() == "Likes tea."
    assert await house.recalled("tea") and not await house.recalled("tee")
    await house.keeper.retention.retract(GUILD, [event.message_id])
    assert await house.known() == [] and await house.profile() == ""


async def test_what_a_note_rests_on_besides_goes_with_it_to_its_new_words(house):
    await house.tell("likes tee")
    old = await house.only(text="tee")
    context = {"GuildId": GUILD, "ContextMessageId": 77, "ContextMemoryId": 0}
    await house.database.write(
        lambda connection: connection.execute(
            insert(memory_context).values(**context, MemoryId=old.id)
        )
    )
    await house.browser.change(old.id, MemoryEdit(text="likes tea"))
    await house.keeper.retention.retract(GUILD, [77])
    assert "likes tea" not in await house.known()


async def test_new_words_of_a_note_are_refused_where_nobody_may_have_them(house):
    await house.tell("likes tea")
    row = await house.only(text="tea")
    for text, sentence in (
        ("", "1 to 500"),
        ("?!", "1 to 500"),
        ("x" * 501, "1 to 500"),
        ("mail me at ada@example.org", "contact details"),
    ):
        with pytest.raises(BadInput, match=sentence):
            await house.browser.change(row.id, MemoryEdit(text=text))
    assert await house.browser.change(row.id, MemoryEdit(text="likes tea")) == row

    def as_quote(connection):
        mine = update(user_memory).where(user_memory.c.Id == row.id)
        connection.execute(mine.values(Form=Form.QUOTE))

    await house.guilds.set_values(GUILD, frozen=True)
    with pytest.raises(Conflict, match="frozen"):
        await house.browser.change(row.id, MemoryEdit(text="likes coffee"))
    await house.database.write(as_quote)
    with pytest.raises(BadInput, match="own words"):
        await house.browser.change(row.id, MemoryEdit(text="I like coffee"))
    assert await house.known() == ["likes tea"]


async def test_forgetting_what_new_words_replaced_forgets_the_new_words_too(house):
    await house.tell("likes green tee")
    old = await house.only(text="tee")
    await house.browser.change(old.id, MemoryEdit(text="likes green tea"))
    assert await house.keeper.forget(ADA, old.id)
    assert await house.known() == [] and await house.profile() == ""
    assert not await house.recalled("green")


async def test_new_words_name_no_other_member_unless_the_old_ones_did(house):
    for member, name in ((ADA, "Ada"), (BOB, "Bob")):
        house.known_members.update_names(GUILD, member.user_id, [name])
    await house.tell("likes tea")
    row = await house.only(text="tea")
    for text in ("likes tea with Bob", f"likes tea with <@{BOB.user_id}>"):
        with pytest.raises(BadInput, match="names somebody else"):
            await house.browser.change(row.id, MemoryEdit(text=text))
    await house.browser.change(row.id, MemoryEdit(text="Ada likes tea"))
    await house.tell("plays chess with Bob")
    row = await house.only(text="chess")
    assert await house.browser.change(row.id, MemoryEdit(text="often plays chess with Bob"))
    assert sorted(await house.known()) == ["Ada likes tea", "often plays chess with Bob"]
