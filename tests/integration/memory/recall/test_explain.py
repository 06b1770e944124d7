"""What would be recalled, and why: every candidate with its terms, and what each was cut by."""

from datetime import timedelta

import pytest

from tests.fakes.builders import ADA, CHANNEL, GUILD, NOON, audience, make_reader
from tests.fakes.clock import ManualClock
from tests.integration.admin.test_browser import BrowserHousehold
from tests.integration.memory.member_data.test_search import remember
from tests.rows import each_row
from utils.common.errors import BadInput
from utils.database.memories import members
from utils.models.guild import GuildSettings
from utils.models.memory import Consent, Kind, Member, Status
from utils.models.recall import Omission, Person

SECRET_CHANNEL = 666


@pytest.fixture
async def house(database, database_url):
    made = BrowserHousehold(database, database_url, ManualClock())
    await made.keeper.set_consent(ADA, Consent.LASTING)
    return made


async def explain(house, text="what about the dog?", **given):
    place = audience()
    return await house.explainer.explain(
        GUILD, CHANNEL, ADA.user_id, text, place, **{"name": "Ada"} | given
    )


async def verdicts(house, text="what about the dog?"):
    """Why each memory is told, or is not, by its text."""
    found = await explain(house, text)
    return {one.text: one.layer or one.cut for one in found.considered if one.memory_id}


async def test_every_memory_has_its_reason(house):
    async def keep(text, **given):
        await remember(house.database, text, kind=given.pop("kind", Kind.EPISODE), **given)

    await keep("walked the dog to the lake")
    await keep("the dog walked to the lake")
    await keep("sailed to Norway")
    await keep("wants no dog pictures", kind=Kind.CONSTRAINT)
    await keep("dog in the shadow", status=Status.SHADOW)
    await keep("dog that waits", status=Status.PROPOSED)
    await keep("dog in another channel", channel_id=SECRET_CHANNEL)
    await keep("dog of the past", expires_at=NOON + timedelta(days=2))
    house.clock.advance(days=3)
    told = await verdicts(house)
    assert "dog of the past" not in told  # it is not even loaded
    assert told == {
        "walked the dog to the lake": Omission.SAME_WORDS,
        "the dog walked to the lake": "Relevant",
        "sailed to Norway": "Recent",
        "wants no dog pictures": "Courtesy",
        "dog in the shadow": Omission.NOT_ACTIVE,
        "dog that waits": Omission.NOT_ACTIVE,
        "dog in another channel": Omission.UNREADABLE,
    }


async def test_there_are_so_many_of_a_kind(house):
    for number in range(8):
        await remember(house.database, f"dog fact {'x' * number * 3}{number}", kind=Kind.TASK)
    cuts = list((await verdicts(house)).values())
    assert cuts.count("Relevant") == 5
    assert cuts.count(Omission.MAX_PER_KIND) == 3


async def test_what_has_no_room_says_so(house):
    for number in range(12):
        words = " ".join(f"dog{number}{letter * 9}" for letter in "abcdefghijklmnopqrstuvwxyz")
        await remember(house.database, f"dog {words}", kind=list(Kind)[number % 3])
    found = await explain(house)
    assert Omission.NO_ROOM in {one.cut for one in found.considered}
    assert found.tokens <= found.budget_tokens == 400


async def test_what_is_in_the_profile_is_told_there(house, database, database_url):
    await house.move_in()
    await house.tell("has a dog")
    assert (await verdicts(house))["has a dog"] is Omission.PROFILE
    assert "Profile: Has a dog." in (await explain(house)).block
    await house.recorder.close()


async def test_messages_are_explained_too_with_their_terms(house):
    await house.move_in()
    await house.tell("the parrot is called Zazu", channel_id=CHANNEL)
    for number in range(6):  # out of sight: an answer each
        await house.tell(f"weather report {number}")
    found = await explain(house, "what is the parrot called?")
    (said,) = [one for one in found.considered if one.message_id and "Zazu" in one.text]
    assert said.kind is None
    assert said.layer == "Said" or said.cut is Omission.PAIR
    assert said.score == pytest.approx(sum(said.terms.values()))
    assert said.terms["text"] > 0
    await house.recorder.close()


async def test_it_is_what_the_next_answer_would_be_given(house):
    for text in ("has a dog named Rex", "walks the dog at night", "hates rain"):
        await remember(house.database, text, kind=Kind.EPISODE)
    found = await explain(house)
    recall = await make_reader(house.database, house.clock).recall(
        audience(),
        [Person(ADA.user_id, "Ada")],
        "what about the dog?",
        settings=GuildSettings(GUILD),
    )
    assert found.block == recall.block != ""
    assert {one.memory_id for one in found.considered if one.layer} == {
        row.id for row in recall.rows
    }


async def test_explaining_is_no_use_of_a_memory_and_writes_nothing(house):
    row_id = await remember(house.database, "has a dog", kind=Kind.EPISODE)
    before = (await house.browser.item(row_id)).item
    await explain(house)
    await house.reader.write_uses()
    assert (await house.browser.item(row_id)).item == before
    stranger = Member(GUILD, 4711)
    found = await house.explainer.explain(GUILD, CHANNEL, stranger.user_id, "dog", audience())
    assert found.considered == ()
    assert stranger.user_id not in [
        row.user_id for row in (await house.browser.members(GUILD)).rows
    ]


async def test_where_recall_is_off_nothing_is_recalled_and_it_says_so(house):
    await remember(house.database, "has a dog", kind=Kind.EPISODE)
    await house.guilds.set_policy(GUILD, {"recall": False}, actor_id=1, reason="")
    found = await explain(house)
    assert (found.is_off, found.block, found.now) == (True, "", "")
    assert [(one.text, one.layer) for one in found.considered] == [("has a dog", "Relevant")]


async def test_of_whom_nothing_is_recalled_for_their_consent_is_named(house):
    await remember(house.database, "has a dog", kind=Kind.EPISODE)
    assert (await explain(house)).silent_ids == ()
    await house.keeper.set_consent(ADA, Consent.OFF)
    found = await explain(house)
    assert (found.silent_ids, found.considered, found.block) == ((ADA.user_id,), (), "")


@each_row("text", ["", "  \u200b ", "x" * 2001])
async def test_a_text_that_no_message_can_be_is_refused(house, text):
    with pytest.raises(BadInput, match="1 to 2000"):
        await explain(house, text)


async def test_a_servers_lore_is_named(house):
    await remember(house.database, "the great lag night", Member(GUILD, 0), kind=Kind.LORE)
    await house.database.write(_raise_version)
    found = await explain(house, "remember the great lag night?")
    assert [(one.text, one.layer) for one in found.considered] == [("the great lag night", "Lore")]


def _raise_version(connection):
    members.invalidate_guild(connection, GUILD)
