"""What a member forgets and chooses: what is stored, audited and written into the ledger."""

from functools import partial

import pytest
from sqlalchemy import select

from tests.fakes.builders import GUILD, KITH_ID, make_answer, make_event
from tests.integration.residue import ADA, BOB
from utils.database.erasure import consent as member_consent
from utils.database.memories import members
from utils.database.privacy import erasure_ledger
from utils.database.schema.memory_tables import memory_audit, memory_event
from utils.guilds.account_links import AccountLinkService
from utils.memory.privacy import consent_gate, erasure, erasure_ledger_file
from utils.memory.privacy.erasure_ledger_file import ErasureLedger
from utils.models.memory import SERVER_USER_ID, Consent, Kind, Member, Role
from utils.models.operator import Erasure, ErasureKind
from utils.models.policy import WritePolicy

STRANGER = Member(GUILD, 30)


async def linked(home):
    links = AccountLinkService(home.database, home.clock)
    await links.link(ADA, BOB.user_id)
    assert await links.link(BOB, ADA.user_id)


async def ids_of(home, member):
    return [row.id for row in (await home.member_data.show(member)).rows]


async def event_id(home, event):
    query = select(memory_event.c.Id).where(memory_event.c.MessageId == event.message_id)
    return await home.database.read(lambda s: s.execute(query).scalars().first())


async def audits(home, after=0):
    columns = memory_audit.c
    shown = select(columns.UserId, columns.Action, columns.ActorId)
    query = shown.where(columns.Id > after).order_by(columns.Id)
    return [tuple(row) for row in await home.database.read(lambda s: s.execute(query).all())]


async def last_audit(home):
    query = select(memory_audit.c.Id)
    return max(await home.database.read(lambda s: s.scalars(query).all()), default=0)


async def kinds_in_ledger(home):
    entries = await home.database.read(erasure_ledger.entries_after, 0, 100)
    return [(entry.kind, entry.user_id) for _, entry in entries]


async def choose(home, member, choice=None, passive=None, policy=None):
    """Store a choice; returns what it wrote into the audit and the ledger."""
    before, ledger = await last_audit(home), len(await kinds_in_ledger(home))
    await home.database.write(
        erasure.set_consent,
        member,
        choice,
        passive=passive,
        write_policy=policy or WritePolicy(),
        now=home.clock.now(),
    )
    return await audits(home, before), (await kinds_in_ledger(home))[ledger:]


# --- forgetting ---------------------------------------------------------------------------------


async def test_what_both_accounts_are_asked_to_forget_goes_and_is_counted(home):
    await linked(home)
    for text in ("likes tea", "likes figs", "likes rice"):
        await home.tell(text)
    await home.tell("sings", BOB)
    silent = [await home.tell("hello?"), await home.tell("so?", BOB), await home.tell("and?", BOB)]
    await home.tell("paints", STRANGER)
    own, other = await ids_of(home, ADA), await ids_of(home, BOB)
    foreign = await ids_of(home, STRANGER)
    events = [await event_id(home, event) for event in silent]
    unit = partial(
        erasure.forget_items,
        member=ADA,
        memory_ids=[*own[:2], *other, *foreign, 99_999],
        event_ids=[*events[:2], 99_999],
        now=home.clock.now(),
    )
    before = await last_audit(home)
    assert await home.database.write(unit) == 5
    assert await ids_of(home, ADA) == own[2:]
    assert (await ids_of(home, BOB), await ids_of(home, STRANGER)) == ([], foreign)
    made = await audits(home, before)
    assert {actor for _, _, actor in made} == {ADA.user_id}
    assert [user for user, action, _ in made if action == "forgot a message"] == [
        ADA.user_id,
        BOB.user_id,
    ]
    assert [await event_id(home, event) is None for event in silent] == [False] * 3


async def test_forgetting_everything_counts_both_accounts_and_keeps_their_choices(home):
    await linked(home)
    await home.tell("likes tea")
    await home.tell("likes figs")
    await home.tell("sings", BOB)
    before = await last_audit(home)
    unit = partial(erasure.forget_both_accounts, member=ADA, now=home.clock.now())
    assert await home.database.write(unit) == 3
    forgot = [row for row in await audits(home, before) if row[1] == "forgot everything"]
    assert forgot == [
        (ADA.user_id, "forgot everything", ADA.user_id),
        (BOB.user_id, "forgot everything", BOB.user_id),
    ]
    said = [row for row in await kinds_in_ledger(home) if row[0] is ErasureKind.SAID]
    assert said == [(ErasureKind.SAID, ADA.user_id), (ErasureKind.SAID, BOB.user_id)]
    assert (await home.database.read(member_consent.load_choices, ADA)).consent is Consent.LASTING
    assert await home.profile() == ""


# --- choosing -----------------------------------------------------------------------------------


async def test_each_choice_is_audited_once_and_what_became_less_is_in_the_ledger(home):
    user_id = STRANGER.user_id
    off, shorter, unheard = (
        (kind, user_id) for kind in (ErasureKind.OFF, ErasureKind.SHORTER, ErasureKind.UNHEARD)
    )

    def audit(*actions):
        return [(user_id, action, user_id) for action in actions]

    steps = [
        ({"choice": Consent.LASTING}, audit("consent lasting"), []),
        ({"choice": Consent.LASTING}, [], []),
        ({"passive": True}, audit("passive on"), []),
        ({"passive": True}, [], []),
        ({"passive": False}, audit("passive off"), [unheard]),
        ({"passive": False}, [], [unheard]),
        ({"choice": Consent.TEMPORARY, "passive": True},
         audit("consent temporary", "passive on"), [shorter]),
        ({"choice": Consent.OFF}, audit("consent off"), [off]),
        ({"choice": Consent.OFF, "passive": True}, [], [off]),
        ({}, [], []),
    ]  # fmt: skip
    for given, audited, recorded in steps:
        assert await choose(home, STRANGER, **given) == (audited, recorded), given
        home.clock.advance(1)
    choices = await home.database.read(member_consent.load_choices, STRANGER)
    assert (choices.consent, choices.passive_opt_in) == (Consent.OFF, False)


@pytest.mark.parametrize(("days", "still_ends"), [({}, False), ({Kind.FACT: 400}, True)])
async def test_a_lasting_consent_leaves_what_the_server_limits(home, days, still_ends):
    await home.keeper.set_consent(ADA, Consent.TEMPORARY)
    await home.tell("likes tea")
    await choose(home, ADA, Consent.LASTING, policy=WritePolicy(longest_days=days))
    (row,) = (await home.member_data.show(ADA)).rows
    assert (row.expires_at is not None) is still_ends


# --- who allows what ----------------------------------------------------------------------------


async def test_turns_of_and_about_members_with_consent_off_are_left_out(home):
    await home.keeper.set_consent(STRANGER, Consent.OFF)
    mine, theirs = make_event("mine"), make_event("theirs", author_id=STRANGER.user_id)
    about = make_answer(mine, about_ids=(STRANGER.user_id, ADA.user_id))
    answer = make_answer(mine, about_ids=(ADA.user_id, SERVER_USER_ID))
    turns = [mine, theirs, about, answer]
    assert await home.database.read(consent_gate.allowed_turns, turns) == [mine, answer]


async def test_an_answer_is_stored_under_the_consent_of_whom_it_answers(home):
    asked = await home.tell("likes tea")
    answer = make_answer(asked, author_id=KITH_ID)
    unasked = make_event("so", role=Role.KITH, author_id=KITH_ID)
    unknown = make_answer(make_event("never stored"))

    events = asked, answer, unasked, unknown
    whose = [await home.database.read(consent_gate.consenting_member, event) for event in events]
    assert whose == [ADA, ADA, Member(GUILD, KITH_ID), None]


@pytest.mark.parametrize(
    ("role", "about", "expected"),
    [
        (Role.MEMBER, (), Consent.TEMPORARY),
        (Role.KITH, (SERVER_USER_ID,), Consent.TEMPORARY),
        (Role.KITH, (BOB.user_id, STRANGER.user_id), Consent.OFF),
    ],
)
async def test_a_first_message_makes_a_member_and_an_answer_makes_none(home, role, about, expected):
    await home.keeper.set_consent(STRANGER, Consent.OFF)
    new = Member(GUILD, 77)
    event = make_event("hi", author_id=77, role=role, about_ids=about)
    assert await home.database.write(consent_gate.locked_consent, event, new) is expected
    is_known = await home.database.write(members.lock_existing, GUILD, {77})
    assert bool(is_known) is (role is Role.MEMBER)


# --- the ledger ---------------------------------------------------------------------------------


async def test_only_new_lines_of_the_ledger_are_read_and_a_shorter_file_is_read_anew(
    home, tmp_path, monkeypatch
):
    starts = []
    read = erasure_ledger_file.read
    monkeypatch.setattr(
        erasure_ledger_file, "read", lambda file, start=0: starts.append(start) or read(file, start)
    )
    mirror = ErasureLedger(home.database, tmp_path / "ledger")
    sizes = [0]
    for number in (1, 2):
        entry = Erasure(home.clock.now(), ErasureKind.OFF, GUILD, number)
        await home.database.write(lambda s, entry=entry: erasure_ledger.record(s, entry))
        assert await mirror.mirror() == 1
        sizes.append(mirror.file.stat().st_size)
    assert [await mirror.mirror(), await mirror.mirror()] == [0, 0]
    assert starts == [0, 0, sizes[1], sizes[2]]
    mirror.file.write_bytes(mirror.file.read_bytes()[: sizes[1]])
    assert await mirror.mirror() == 1
    assert mirror.file.stat().st_size == sizes[2]
