"""Near-duplicates are merged at night, undoably, and nothing else is."""

import pytest
from sqlalchemy import select

from tests.fakes.builders import GUILD, at, make_memory
from tests.fakes.clock import ManualClock
from tests.integration.residue import ADA, BOB, WORD, Household, attributed
from tests.rows import each_row
from utils.database.schema.memory_tables import memory_audit, memory_evidence, user_memory
from utils.memory.consolidation import wording as merging
from utils.models.memory import Kind, Source, Status

ELSEWHERE = 4711


@pytest.fixture
async def home(database, database_url):
    household = Household(database, database_url, ManualClock())
    household.extractor.read = coexisting
    await household.move_in()
    yield household
    await household.recorder.close()


def coexisting(reading):
    """As :func:`attributed`, but nothing is replaced."""
    made = attributed(reading)
    for candidate in made.candidates:
        object.__setattr__(candidate, "replaces", None)
    return made


async def twins(
    home,
    member=ADA,
    first="has a brown dog named Rex from Oslo",
    second="has a big brown dog named Rex from Oslo",
):
    """Have two rows of one attribute that say the same; deciding would have merged them, so they
    are given their attribute afterwards. An import leaves such rows."""
    events = [await home.tell(text, member) for text in (first, second)]
    await home.database.write(
        lambda s: s.execute(
            user_memory.update()
            .where(user_memory.c.Memory.in_([first, second]))
            .values(FactKey="dog")
        )
    )
    return events


async def stored(home, column, **where):
    query = select(column).order_by(column.table.c.Id)
    for name, value in where.items():
        query = query.where(column.table.c[name] == value)
    return await home.database.read(lambda s: list(s.scalars(query)))


async def change_row(home, row_id, **values):
    await home.database.write(
        lambda s: s.execute(user_memory.update().where(user_memory.c.Id == row_id).values(**values))
    )


async def rows_of(home):
    return list(reversed((await home.member_data.show(ADA)).rows))


def facts_of(row):
    return (row.id, row.text, row.confidence, row.importance, row.last_confirmed_at,
            row.expires_at, row.evidence_count)  # fmt: skip


def pair(**changed):
    one = make_memory("has a brown dog named Rex from Oslo", fact_key="dog", id=1)
    other = make_memory(
        "has a big brown dog named Rex from Oslo", **({"fact_key": "dog", "id": 2} | changed)
    )
    return [one, other]


# --- which rows -----------------------------------------------------------------------------------


def test_the_newer_of_equally_sure_rows_stays():
    (merge,) = merging.plan_merges(pair(last_confirmed_at=at(days=1)))
    assert (merge.survivor.id, [row.id for row in merge.absorbed]) == (2, [1])


def test_the_surer_row_stays_and_what_the_member_stated_before_all():
    assert merging.plan_merges(pair(confidence=0.8, created_at=at(days=1)))[0].survivor.id == 1
    stated = pair(confidence=0.8, source=Source.EXPLICIT)
    assert merging.plan_merges(stated)[0].survivor.id == 2


@each_row(
    "changed",
    [
        {"fact_key": ""},
        {"fact_key": "pet"},
        {"channel_id": ELSEWHERE},
        {"kind": Kind.PREFERENCE},
        {"user_id": BOB.user_id},
        {"status": Status.PROPOSED},
        {"status": Status.SHADOW},
    ],
)
def test_rows_that_differ_in_anything_that_matters_stay_apart(changed):
    assert merging.plan_merges(pair(**changed)) == []


@each_row(
    "other",
    [
        "has a brown dog named Max from Oslo",
        "has no brown dog named Rex from Oslo",
        "has 2 brown dogs named Rex from Oslo",
    ],
)
def test_other_names_negations_and_numbers_are_never_merged(other):
    rows = [
        make_memory("has a brown dog named Rex from Oslo", fact_key="dog"),
        make_memory(other, fact_key="dog"),
    ]
    assert merging.plan_merges(rows) == []


def test_what_was_parted_by_somebody_is_not_merged_again():
    assert merging.plan_merges(pair(), apart={1}) == []


def test_a_permanent_row_makes_the_merged_one_permanent():
    rows = pair(expires_at=at(days=3), confidence=0.99)
    assert merging.plan_merges(rows)[0].expires_at is None
    rows[0] = make_memory(
        "has a brown dog named Rex from Oslo", fact_key="dog", expires_at=at(days=5)
    )
    assert merging.plan_merges(rows)[0].expires_at == at(days=5)


# --- at night -------------------------------------------------------------------------------------


async def test_near_duplicates_become_one_row_with_the_evidence_of_both(home):
    first, second = await twins(home)
    report = await home.prune()
    assert report.merged == {GUILD: 1}
    assert str(report).endswith("1 near-duplicates merged")
    assert await home.known() == ["has a big brown dog named Rex from Oslo"]
    assert await home.profile() == "Has a big brown dog named Rex from Oslo."
    (kept,) = (await home.member_data.show(ADA)).rows
    messages = await stored(home, memory_evidence.c.MessageId, MemoryId=kept.id)
    assert set(messages) == {first.message_id, second.message_id}
    assert kept.evidence_count == 2
    assert (await stored(home, memory_audit.c.Action))[-1] == "merged"
    assert (await home.prune()).merged == {}


async def test_a_merge_can_be_undone_and_is_not_done_again(home):
    await twins(home)
    await home.prune()
    (kept,) = (await home.member_data.show(ADA)).rows
    await home.keeper.undo(ADA, kept.id)
    assert await home.known() == [
        "has a big brown dog named Rex from Oslo",
        "has a brown dog named Rex from Oslo",
    ]
    assert (await home.prune()).merged == {}
    assert len(await home.known()) == 2


async def test_an_undone_merge_leaves_each_row_its_own_evidence_and_nothing_of_the_others(home):
    first, second = await twins(home)
    old, new = reversed((await home.member_data.show(ADA)).rows)
    await change_row(home, old.id, Confidence=0.99, Importance=3, LastConfirmedAt=at(days=2))
    await change_row(home, new.id, ExpiresAt=at(days=9), Source=Source.EXPLICIT)
    before = [one for row in await rows_of(home) for one in facts_of(row)]
    paragraph = await home.profile()
    await home.prune()
    (kept,) = (await home.member_data.show(ADA)).rows
    assert (kept.id, kept.confidence, kept.expires_at) == (new.id, 0.99, None)
    await home.keeper.undo(ADA, kept.id)
    assert [one for row in await rows_of(home) for one in facts_of(row)] == before
    assert await home.profile() == paragraph
    for row, event in ((old, first), (new, second)):
        messages = await stored(home, memory_evidence.c.MessageId, MemoryId=row.id)
        assert messages == [event.message_id]
    await home.keeper.retract(GUILD, [second.message_id])
    assert await home.known() == [old.text]


async def test_a_merge_is_noted_without_words(home):
    await twins(home, first=f"has a {WORD} dog named Rex", second=f"has a big {WORD} dog named Rex")
    await home.prune()
    words = await stored(home, memory_audit.c.Before, Action="took in")
    assert len(words) == 1
    assert WORD not in words[0]


async def test_what_only_a_deleted_message_said_does_not_survive_in_a_merged_row(home):
    _, second = await twins(home, second=f"has a {WORD} brown dog named Rex from Oslo")
    await home.prune()
    assert await home.known() == [f"has a {WORD} brown dog named Rex from Oslo"]
    await home.keeper.retract(GUILD, [second.message_id])
    assert await home.known() == ["has a brown dog named Rex from Oslo"]
    assert await home.profile() == "Has a brown dog named Rex from Oslo."
    assert await home.residue() == []


async def test_forgetting_the_merged_row_forgets_both(home):
    await twins(
        home,
        first=f"has a brown dog of {WORD} from Oslo",
        second=f"has a big brown dog of {WORD} from Oslo",
    )
    await home.prune()
    (kept,) = (await home.member_data.show(ADA)).rows
    await home.keeper.forget(ADA, kept.id)
    assert await home.residue() == []
