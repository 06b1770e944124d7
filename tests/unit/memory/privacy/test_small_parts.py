"""Reports, notices and turns: the small parts of privacy that need no database."""

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest

from tests.fakes.builders import ADA, BOB, CHANNEL, NOON, make_answer, make_event
from tests.rows import each_row
from utils.memory.privacy import end_notices
from utils.memory.privacy.consent_gate import told_openly, turns_with_member
from utils.memory.privacy.end_notices import EndNotices
from utils.memory.privacy.prune_report import ALSO_REMOVED, PruneReport
from utils.memory.privacy.pruning import MAX_CLOCK_JUMP, ClockJumped, check_clock
from utils.models.memory import Role
from utils.nlp.confidential import MARK, with_mark, with_owners

MAY, JUNE = date(2026, 5, 1), date(2026, 6, 1)


def test_a_report_names_what_went_and_leaves_out_what_is_rare_and_did_not():
    report = PruneReport({"expired": Counter({1: 2, 2: 3}), "events": Counter({1: 4})})
    assert str(report) == ("5 expired and 0 surplus memories removed, 4 old messages erased")
    counts = {name: Counter({1: number}) for number, name in enumerate(ALSO_REMOVED, 1)}
    assert str(PruneReport({"over_cap": Counter({1: 9}), **counts})) == (
        "0 expired and 9 surplus memories removed, 0 old messages erased, "
        "1 memories without evidence removed, 2 departed members erased, "
        "3 servers that removed me erased, 4 old counts of tokens removed, "
        "5 old scores of watched messages erased, 6 old notes on conversations erased, "
        "7 other rows erased at their end"
    )


async def test_the_last_date_is_said_once_and_where_it_was_named(monkeypatch):
    monkeypatch.setattr(end_notices, "MAX_WAITING", 2)
    notices = EndNotices()
    notices.expect(ADA, CHANNEL, MAY)
    notices.expect(ADA, CHANNEL, JUNE)
    notices.expect(ADA, 5, MAY)
    assert notices.take(BOB, CHANNEL) is None
    assert [notices.take(ADA, CHANNEL), notices.take(ADA, CHANNEL)] == [JUNE, None]
    for channel_id in (6, 7):
        notices.expect(BOB, channel_id, MAY)
    assert [notices.take(ADA, 5), notices.take(BOB, 6)] == [None, MAY]
    notices.expect(ADA, 5, MAY)
    await notices.erase(ADA, only_answers=True)
    assert [notices.take(ADA, 5), notices.take(BOB, 7)] == [None, MAY]


def test_a_member_has_their_own_turns_and_the_answers_to_them():
    mine, hers = make_event("mine"), make_event("hers", author_id=BOB.user_id)
    answer, other = make_answer(mine), make_answer(hers)
    unasked = make_event("so", role=Role.KITH, author_id=ADA.user_id)
    elsewhere = make_event("there", guild_id=9)
    turns = [mine, hers, answer, other, unasked, elsewhere]
    assert turns_with_member(ADA, turns) == [mine, answer]
    assert turns_with_member(BOB, turns) == [hers, other]


def test_others_than_its_author_get_the_turns_without_confidences_and_what_rests_on_them():
    cake = make_event("we bake a cake")
    told, hike, plea = map(make_event, ("I plan a party", "I hike", "don't tell him of the party"))
    reply, later = make_answer(told, "A party!"), make_answer(cake, "Cake at the party")
    later = replace(later, stems=with_owners("cake parti", [ADA.user_id]))
    turns = [cake, told, hike, reply, plea, later]
    assert told_openly(turns, BOB.user_id) == told_openly(turns) == [cake]
    assert told_openly(turns, ADA.user_id) == turns
    both = replace(later, stems=with_owners(later.stems, [BOB.user_id]))
    assert told_openly([cake, both], ADA.user_id) == [cake]
    marked = replace(cake, stems=with_mark("bake cake", MARK))
    assert told_openly([marked], BOB.user_id) == []


@each_row(("age", "days"), [(None, None), (MAX_CLOCK_JUMP, None), (1, 45)])
async def test_a_clock_that_is_far_ahead_is_not_believed(age, days):
    newest = None if age is None else NOON - MAX_CLOCK_JUMP
    now = NOON + timedelta(seconds=1) if age == 1 else NOON

    class Database:
        async def read(self, unit, *, job):
            assert job == "prune"
            return newest

    if days is None:
        await check_clock(Database(), now)
        return
    with pytest.raises(ClockJumped, match=r"The clock says 11 March 2026 12:00 UTC.* is 45 days"):
        await check_clock(Database(), now)
