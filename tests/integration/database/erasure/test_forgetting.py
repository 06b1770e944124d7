"""Forgetting and retracting memories: these rows of this member, and what they take with them."""

import pytest
from sqlalchemy import select

from tests.fakes.builders import ADA, BOB, GUILD, KITH_ID, NOON
from tests.integration.stored_rows import ELSEWHERE, add, by, in_order, of, stored
from utils.database.erasure import forgetting
from utils.database.schema.memory_tables import (
    answer_source,
    erasure_ledger,
    memory_audit,
    memory_context,
    memory_event,
    memory_evidence,
    tombstone,
    user_memory,
    user_state,
)
from utils.memory.privacy import erasure
from utils.models.memory import Form, Member, Method, Role, Status
from utils.models.operator import ErasureKind
from utils.models.provenance import SourceKind, SourceRole
from utils.models.transfer import BY_COMMAND

MEMORY, EVIDENCE, AUDIT, EVENT = user_memory.c, memory_evidence.c, memory_audit.c, memory_event.c
STEMS = "own\nsource"


def remember(connection, member, *message_ids, method=Method.MODEL, said=(), **values):
    """Store an active memory of a member from these messages; returns its id.

    ``said``: sentences of messages, by their ids.
    """
    row = {"Status": Status.ACTIVE, "Memory": "likes tea", "SearchStems": STEMS} | values
    row_id = add(connection, user_memory, **of(member), **row)
    evidence = {"MemoryId": row_id, "Method": method, "Model": BY_COMMAND}
    for message_id in message_ids:
        add(
            connection,
            memory_evidence,
            GuildId=member.guild_id,
            MessageId=message_id,
            Quote=dict(said).get(message_id, "I like tea."),
            **evidence,
        )
    return row_id


def supersede(connection, member, by_id, *message_ids, **values):
    past = {"Status": Status.SUPERSEDED, "SupersededById": by_id}
    return remember(connection, member, *message_ids, **past | values)


def statuses(connection):
    columns = (MEMORY.Id, MEMORY.Status, MEMORY.SupersededById)
    return {row_id: rest for row_id, *rest in in_order(connection, *columns)}


def quotes(connection):
    return {
        (row.MemoryId, row.MessageId): row.Quote
        for row in connection.execute(select(memory_evidence))
    }


# --- forgetting ---------------------------------------------------------------------------------


def test_a_forgotten_memory_takes_its_versions_and_quotes_and_no_other(connection):
    for message_id in (1, 2):
        add(connection, memory_event, **by(ADA), MessageId=message_id)
    latest = remember(connection, ADA, 1, Topics="tea", FactKey="drink")
    earlier = supersede(connection, ADA, latest, 2)
    quote = remember(connection, ADA, 2, 3, Form=Form.QUOTE, Memory="I like tea")
    other_sentence = remember(connection, ADA, 2, Form=Form.QUOTE, Memory="I ride a bike")
    others = [
        remember(connection, ADA, 1),
        remember(connection, ADA, 4, Form=Form.QUOTE),
        remember(connection, ADA, 1, Form=Form.QUOTE, Status=Status.FORGOTTEN, SearchStems=""),
        remember(connection, BOB, 1, Form=Form.QUOTE),
        remember(connection, ELSEWHERE, 1, Form=Form.QUOTE),
    ]
    in_wrong_server = remember(connection, ADA, Form=Form.QUOTE)
    row = {"MemoryId": in_wrong_server, "MessageId": 1, "GuildId": ELSEWHERE.guild_id}
    add(connection, memory_evidence, **row)
    others.append(in_wrong_server)
    for memory_id in (latest, quote, others[0]):
        add(connection, memory_audit, **of(ADA), MemoryId=memory_id, Action="learned", After="tea")
    before = {row[0]: row for row in in_order(connection, *user_memory.c)}
    forgotten = forgetting.forget(connection, ADA, latest, now=NOON)
    assert (forgotten.message_ids, forgotten.words) == ([1, 2], {"like", "tea"})
    gone = [latest, earlier, quote]
    assert forgotten.memory_ids == gone
    after = {row[0]: row for row in in_order(connection, *user_memory.c)}
    assert {row_id for row_id in before if after[row_id] != before[row_id]} == {
        *(*gone, others[0], other_sentence)
    }
    assert connection.scalar(select(MEMORY.SearchStems).where(MEMORY.Id == others[0])) == "own"
    texts = (MEMORY.Memory, MEMORY.Topics, MEMORY.FactKey, MEMORY.SearchStems, MEMORY.Status)
    rows = connection.execute(select(*texts).where(MEMORY.Id.in_(gone))).all()
    assert {tuple(row) for row in rows} == {("", "", "", "", Status.FORGOTTEN)}
    kept = quotes(connection)
    assert {text for (row_id, _), text in kept.items() if row_id in gone} == {""}
    assert kept[others[1], 4] and kept[others[4], 1]
    final = tombstone.c
    assert stored(connection, final.MessageId, final.GuildId) == [(1, GUILD), (2, GUILD)]
    entry = erasure_ledger.c
    kinds = stored(connection, entry.Id, entry.Kind, entry.UserId, entry.GuildId)
    assert [(kind, *of_) for _, kind, *of_ in kinds] == [
        *[(ErasureKind.MEMORY, ADA.user_id, GUILD)] * 3,
        *[(ErasureKind.MESSAGE, ADA.user_id, GUILD)] * 2,
    ]
    uids = connection.scalars(select(entry.Uid).where(entry.Uid.is_not(None)).order_by(entry.Id))
    newest_first = select(MEMORY.Uid).where(MEMORY.Id.in_(gone)).order_by(MEMORY.Id.desc())
    assert uids.all() == connection.scalars(newest_first).all()
    entries = connection.execute(select(memory_audit)).all()
    texts_left = {row.MemoryId: row.After for row in entries if row.Action == "learned"}
    assert texts_left == {latest: None, quote: None, others[0]: "tea"}
    done = {(row.MemoryId, row.Action, row.ActorId) for row in entries if row.Action != "learned"}
    assert done == {(row_id, "forgotten", ADA.user_id) for row_id in gone}


@pytest.mark.parametrize("owner", [ADA, BOB])
@pytest.mark.parametrize("by_memory", [False, True])
def test_an_answer_from_a_note_goes_with_the_memory_that_was_its_context(
    connection, owner, by_memory
):
    for member in (ADA, BOB):
        add(connection, user_state, **of(member), UserNotes="", NotesRowIds="")
    add(connection, memory_event, **by(ADA), MessageId=1)
    forgotten = remember(connection, ADA, 1, Memory="has a brother in Oslo")
    note, other = (remember(connection, owner, n, Topics="") for n in (8, 9))
    context = (0, forgotten) if by_memory else (1, 0)
    names = ("ContextMessageId", "ContextMemoryId")
    row = {"GuildId": GUILD, "MemoryId": note, **dict(zip(names, context, strict=True))}
    add(connection, memory_context, **row)
    answers = []
    for memory_id in (note, other):
        posted = {"AuthorId": KITH_ID, "GuildId": GUILD, "Role": Role.KITH, "Text": "so"}
        answers.append(add(connection, memory_event, **posted))
        source = {"Kind": SourceKind.MEMORY, "SourceId": memory_id, "GuildId": GUILD}
        add(connection, answer_source, EventId=answers[-1], **source, Role=SourceRole.RECALLED)
    assert erasure.forget_memory(connection, ADA, forgotten, NOON)
    texts = dict(stored(connection, EVENT.Id, EVENT.Text))
    assert [texts[event_id] for event_id in answers] == ["", "so"]
    forms = dict(stored(connection, MEMORY.Id, MEMORY.Form))
    assert (forms[note], forms[other]) == (Form.QUOTE, Form.NOTE)


@pytest.mark.parametrize("is_first", [True, False])
def test_a_forgotten_quote_takes_notes_that_rest_on_its_sentence_only(connection, is_first):
    quote, boat, _ = [
        remember(connection, ADA, 1, Form=Form.QUOTE, Memory=text, said={1: text})
        for text in ("I like tea", "I own a boat", "I ski")
    ]
    gone, *_ = [
        remember(connection, ADA, 1, said={1: sentence}, Memory=sentence, EvidenceCount=count)
        for sentence, count in (("I like tea.", 1), ("I like tea.", 2), ("I ride a bike", 1))
    ]
    if not is_first:  # and then no evidence says any more which sentence it was
        forgetting.forget(connection, ADA, boat, now=NOON)
    assert forgetting.forget(connection, ADA, quote, now=NOON).memory_ids == [quote, gone]


def test_who_asked_for_it_is_in_the_audit_and_nobody_forgets_anothers_memory(connection):
    row_id = remember(connection, ADA, 1)
    for stranger in (BOB, ELSEWHERE):
        assert forgetting.forget(connection, stranger, row_id, now=NOON) is None
    assert statuses(connection) == {row_id: [Status.ACTIVE, None]}
    forgetting.forget(connection, ADA, row_id, now=NOON, actor_id=0)
    assert stored(connection, AUDIT.Action, AUDIT.ActorId, AUDIT.At) == [("forgotten", 0, NOON)]
    assert forgetting.forget(connection, ADA, row_id, now=NOON) is None


def test_everything_of_a_member_is_deleted_and_what_could_be_recalled_is_counted(connection):
    for status in Status:
        remember(connection, ADA, 1, Status=status)
    kept = [remember(connection, member, 1) for member in (BOB, ELSEWHERE)]
    assert forgetting.forget_all(connection, ADA, now=NOON, actor_id=7) == 3
    assert stored(connection, MEMORY.Id) == kept
    assert {*stored(connection, AUDIT.Action, AUDIT.ActorId)} == {("erased", 7)}
    assert forgetting.forget_all(connection, BOB, now=NOON, actor_id=BOB.user_id) == 1
    assert ("erased", BOB.user_id) in stored(connection, AUDIT.Action, AUDIT.ActorId)


def test_what_rests_only_on_later_messages_is_not_of_the_past(connection):
    past = [
        remember(connection, ADA, 3, 9),
        remember(connection, ADA, 5),
        remember(connection, ADA, Status=Status.SUPERSEDED),
    ]
    later = remember(connection, ADA, 6, 9)
    kept = [later, *(remember(connection, member, 3) for member in (BOB, ELSEWHERE))]

    def has_more(count, up_to=None):
        return forgetting.has_more(connection, ADA, count, up_to)

    assert [has_more(n) for n in (1, 4, 5)] == [True, True, False]
    assert [has_more(n, 5) for n in (3, 4)] == [True, False]
    assert [has_more(n, 9) for n in (4, 5)] == [True, False]
    assert [forgetting.has_after(connection, ADA, n) for n in (5, 6)] == [True, False]
    answers = []
    for memory_id in (past[0], later):
        posted = {"AuthorId": KITH_ID, "GuildId": GUILD, "Role": Role.KITH, "Text": "some tea"}
        answers.append(add(connection, memory_event, **posted))
        source = {"Kind": SourceKind.MEMORY, "SourceId": memory_id, "GuildId": GUILD}
        add(connection, answer_source, EventId=answers[-1], **source)
    counts = [forgetting.forget_some(connection, ADA, 2, now=NOON, up_to=5)]
    assert len(stored(connection, MEMORY.Id)) == 4
    counts.append(forgetting.forget_some(connection, ADA, 2, now=NOON, up_to=5))
    assert sum(counts) == 2
    assert stored(connection, MEMORY.Id) == kept
    assert stored(connection, EVENT.Id, EVENT.Text) == [(answers[0], ""), (answers[1], "some tea")]
    assert {*stored(connection, AUDIT.Action, AUDIT.ActorId)} == {("erased", ADA.user_id)}
    assert forgetting.forget_some(connection, ADA, 9, now=NOON) == 1
    assert stored(connection, MEMORY.Id) == kept[1:]


# --- retracting ---------------------------------------------------------------------------------


@pytest.mark.parametrize("sentence", ["My tea is rare.", ""])  # or it was forgotten before
def test_a_memory_without_other_evidence_goes_and_others_lose_some(connection, sentence):
    both, gone = remember(connection, ADA, 1, 2, 3, EvidenceCount=3), remember(connection, ADA, 1)
    second = remember(connection, ADA, 2)
    untouched = [
        remember(connection, ADA, 4),
        remember(connection, BOB, 1),
        remember(connection, ELSEWHERE, 1),
        remember(connection, ADA),
    ]
    by_command = remember(connection, ADA, 5, method=Method.EXPLICIT)
    resting = remember(connection, ADA, 9)
    # As of a note that a second sentence, in other words, confirmed.
    worded = remember(connection, ADA, 1, 6, Memory="likes rare tea", said={1: sentence})
    context = {"ContextMessageId": 1, "ContextMemoryId": 0, "MemoryId": resting}
    add(connection, memory_context, GuildId=GUILD, **context)
    result = forgetting.retract(connection, ADA, [1, 2, 5], now=NOON)
    assert (result.removed, result.restored, result.reworded) == (
        [gone, second],
        {},
        [resting, worded],
    )
    assert result.words == {"like", "rare", "tea"}
    texts = dict(stored(connection, MEMORY.Id, MEMORY.Memory))
    assert [*texts] == sorted([both, *untouched, by_command, resting, worded])
    assert texts[worded] == "I like tea."
    assert [pair for pair in quotes(connection) if pair[0] == both] == [(both, 3)]
    assert dict(stored(connection, MEMORY.Id, MEMORY.EvidenceCount))[both] == 1
    assert {*stored(connection, AUDIT.MemoryId, AUDIT.Action, AUDIT.ActorId, AUDIT.At)} == {
        *((row_id, "retracted", ADA.user_id, NOON) for row_id in (gone, second)),
        *((row_id, "unverified", 0, NOON) for row_id in (resting, worded)),
    }
    assert forgetting.retract(connection, ADA, [3], now=NOON).removed == [both]


def test_what_a_deleted_memory_had_superseded_is_restored(connection):
    """A chain whose middle goes hangs on its end; without an end, what came first is back."""
    last = remember(connection, ADA, 9)
    middle = supersede(connection, ADA, last, 1)
    before_middle = supersede(connection, ADA, middle, 2)
    first = supersede(connection, ADA, before_middle, 3)
    gone, gone_too = remember(connection, ADA, 1), remember(connection, ADA, 2)
    back, back_too = supersede(connection, ADA, gone, 5), supersede(connection, ADA, gone_too, 6)
    other = {
        supersede(connection, ADA, gone, 7, Status=Status.FORGOTTEN): gone,
        supersede(connection, BOB, gone, 7): gone,
        supersede(connection, ELSEWHERE, gone, 7): gone,
        supersede(connection, ADA, last, 8): last,
    }
    result = forgetting.retract(connection, ADA, [1, 2], now=NOON)
    assert {*result.removed} == {middle, before_middle, gone, gone_too}
    assert result.restored == {back: gone, back_too: gone_too}
    after = statuses(connection)
    assert after[first] == [Status.SUPERSEDED, last]
    assert [after[row_id] for row_id in (back, back_too)] == [[Status.ACTIVE, None]] * 2
    assert {row_id: after[row_id][1] for row_id in other if row_id in after} == {
        row_id: other[row_id] for row_id in other if row_id in after
    }
    restored = {(row_id, "restored", ADA.user_id, NOON) for row_id in (back, back_too)}
    entries = {*stored(connection, AUDIT.MemoryId, AUDIT.Action, AUDIT.ActorId, AUDIT.At)}
    assert {entry for entry in entries if entry[1] == "restored"} == restored


def test_the_members_that_messages_concern(connection):
    """Authors, and who has a memory from a message that was sent, or one that rests on it."""
    members = {n: Member(GUILD, n) for n in range(11, 19)}
    add(connection, memory_event, **by(members[11]), MessageId=1, Role=Role.MEMBER)
    add(connection, memory_event, **by(Member(GUILD, KITH_ID)), MessageId=2, Role=Role.KITH)
    remember(connection, members[12], 3)
    remember(connection, members[13], 3, method=Method.EXPLICIT)
    remember(connection, members[14], 99)
    remember(connection, ELSEWHERE, 3)
    for member, guild_id in ((members[15], GUILD), (members[16], ELSEWHERE.guild_id)):
        row_id = remember(connection, member)
        context = {"ContextMessageId": 1, "ContextMemoryId": 0, "MemoryId": row_id}
        add(connection, memory_context, GuildId=guild_id, **context)
    remember(connection, members[17], 2)
    affected = forgetting.affected_members(connection, GUILD, [3, 2, 1])
    assert affected == [members[n] for n in (11, 12, 15, 17)]


# --- copied text --------------------------------------------------------------------------------


def test_memories_that_rest_on_other_messages_lose_the_words_of_the_erased_ones(connection):
    rows = {n: remember(connection, ADA, n, 90) for n in (1, 20, 21)}
    others = [remember(connection, member, 3, 1) for member in (BOB, ELSEWHERE)]
    forgetting.erase_copied_text(connection, ADA, [1, 21])
    stems = dict(stored(connection, MEMORY.Id, MEMORY.SearchStems))
    assert {n: stems[row_id] for n, row_id in rows.items()} == {1: "own", 21: "own", 20: STEMS}
    assert [stems[row_id] for row_id in others] == [STEMS] * 2
    kept = quotes(connection)
    assert {pair for pair, text in kept.items() if not text} == {
        *((rows[1], 1), (rows[21], 21), (others[0], 1)),
    }


def test_what_only_a_deleted_message_said_does_not_stay_in_a_memory_that_took_another_in(
    connection,
):
    """Earlier versions merged near-duplicates: the one that stayed has the other's evidence too."""
    kept = remember(connection, ADA, 1, 2, Memory="has a secret brown dog")
    absorbed = supersede(connection, ADA, kept, 1, Memory="has a brown dog")
    result = forgetting.retract(connection, ADA, [2], now=NOON)
    assert (result.removed, result.restored) == ([kept], {absorbed: kept})
    assert statuses(connection) == {absorbed: [Status.ACTIVE, None]}
