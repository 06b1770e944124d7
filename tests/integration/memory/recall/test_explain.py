"""What would be recalled, and why: every candidate with its terms, and what each was cut by."""

from datetime import timedelta

import pytest

from tests.fakes.builders import ADA, CHANNEL, GUILD, NOON, audience, make_reader
from tests.fakes.clock import ManualClock
from tests.integration.admin.test_browser import BrowserHousehold
from tests.integration.memory.member_data.test_search import remember
from tests.rows import each_row
from utils.memory.recall import ranking
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

    past = ("walked the dog to the lake", "the dog walked to the lake", "sailed to Norway")
    for text in (*past, "walks the dog to the lake"):
        await keep(text)
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
        "walks the dog to the lake": "Relevant",
        "sailed to Norway": "Recent",
        "wants no dog pictures": "Courtesy",
        "dog in the shadow": Omission.NOT_ACTIVE,
        "dog that waits": Omission.NOT_ACTIVE,
        "dog in another channel": Omission.UNREADABLE,
    }


@each_row(
    ("limit", "value", "cut"),
    [("MAX_RANKED", 1, Omission.CROWD), ("MIN_COMPARED", 1, Omission.UNRELATED)],
)
async def test_what_matches_without_being_told_has_its_reason(
    house, monkeypatch, limit, value, cut
):
    for number in range(9):
        await remember(house.database, f"met dog {number}", kind=Kind.EPISODE)
    monkeypatch.setattr(ranking, limit, value)
    told = await verdicts(house, "I sail boats, drink green tea and read books to my dog")
    assert cut in told.values(), told


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


async def test_of_whom_nothing_is_recalled_for_their_consent_is_named(house):
    await remember(house.database, "has a dog", kind=Kind.EPISODE, channel_id=SECRET_CHANNEL)
    assert ((found := await explain(house)).silent_ids, found.block) == ((), "")
    assert found.about_ids == (ADA.user_id,), "whose candidates are shown, though none is told"
    await house.keeper.set_consent(ADA, Consent.OFF)
    found = await explain(house)
    assert (found.silent_ids, found.considered, found.block) == ((ADA.user_id,), (), "")
