"""Export: everything of a member and of nobody else, as a file that can be checked."""

import hashlib
import json
from dataclasses import replace
from zoneinfo import ZoneInfo

from tests.fakes.builders import (
    ADA,
    BOB,
    GUILD,
    NOON,
    make_event,
    make_guild_settings,
    make_memory,
)
from tests.integration.memory.member_data.test_control import HERE, number_of, said, tell
from utils.memory.member_data import export as transfer
from utils.models.memory import Consent, Evidence, Member, Method
from utils.models.policy import WritePolicy
from utils.models.transfer import AuditEntry, MemberChoices, MemberExport, MemoryDetail

UTC = ZoneInfo("UTC")
BERLIN = ZoneInfo("Europe/Berlin")


def make_export(*backed, **given):
    values = {
        "member": ADA,
        "version": 3,
        "made_at": NOON,
        "consent": Consent.LASTING,
        "choices": MemberChoices(Consent.LASTING),
        "profile": "Has a dog.",
        "rows": backed,
        "events": (),
        "audit": (),
        "link": None,
    } | given
    return MemberExport(**values)


def backed(text="has a dog named Rex", **given):
    quoted = Evidence(77, 100, "I have a dog", Method.MODEL, NOON, "small-1", "abc")
    return MemoryDetail(make_memory(text, **given), (quoted,))


def verified(data):
    """The payload of an export whose checksum is that of its canonical form."""
    document = json.loads(data)
    canonical = json.dumps(
        document["payload"], ensure_ascii=False, sort_keys=True, separators=(",", ":")
    )
    assert document["checksum"] == f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"
    return document["payload"]


# --- the files ----------------------------------------------------------------------------------


def test_the_json_file_can_be_checked():
    data = transfer.as_json(make_export(backed(), events=(make_event("hello"),)))
    whole = json.loads(data)
    assert (whole["format"], whole["version"]) == ("kith-export", 1)
    assert whole["generated_at"] == NOON.isoformat()
    payload = verified(data)
    assert payload["server_id"] == str(GUILD)
    (memory,) = payload["memories"]
    assert memory["text"] == "has a dog named Rex"
    (evidence,) = memory["evidence"]
    assert evidence["link"] == f"https://discord.com/channels/{GUILD}/100/77"
    assert (evidence["quote"], evidence["prompt_hash"]) == ("I have a dog", "abc")
    assert payload["messages"][0]["text"] == "hello"
    assert payload["older_messages_left_out"] == 0


def test_the_text_says_everything():
    new = backed("lives in Oslo")
    old = backed("lives in Rome", superseded_by=new.item.id)
    text = transfer.as_text(
        make_export(
            old,
            new,
            events=(make_event("I moved to Oslo"),),
            audit=(
                AuditEntry(NOON, 0, "learnt", old.item.id, after="lives in Rome"),
                AuditEntry(NOON, ADA.user_id, "superseded", old.item.id),
                AuditEntry(NOON, 900, "viewed"),
            ),
        ),
        BERLIN,
    )
    for part in (
        f"replaced by #{new.item.id}",
        "2026-03-11 13:00 CET  I moved to Oslo",
        f"learnt #{old.item.id} by Kith: lives in Rome",
        f"superseded #{old.item.id} by you",
        "viewed by moderator 900",
        "[model small-1 abc, not verified] https://discord.com/channels/1/100/77",
        "How long: lasting (your choice).",
    ):
        assert part in text


def test_an_export_fits_discord_whatever_there_is_much_of():
    rows = tuple(backed(f"{n} " + "🦀" * 200) for n in range(900))
    deeds = [AuditEntry(NOON, 0, "learnt", n, None, "x" * 400) for n in range(900)]
    messages = tuple(make_event(f"{n} " + "🦀" * 900) for n in range(90))
    export = make_export(*rows, audit=tuple(deeds), events=messages)
    data = transfer.as_json(export, 300_000)
    assert 100 < len(data) <= 300_000
    payload = verified(data)
    for name, count in (("memories", len(rows)), ("audit", len(export.audit))):
        assert len(payload[name]) + payload[f"older_{name}_left_out"] == count
        assert payload[name]
    text = transfer.as_text(export, UTC, 300_000)
    assert len(text.encode()) <= 300_000
    assert "MEMORIES (900; the" in text


# --- what is loaded -----------------------------------------------------------------------------


async def test_an_export_holds_all_of_a_member_and_nobody_elses(
    recorder, keeper, reader, member_data, database, clock
):
    await tell(recorder, "lives in Rome")
    await tell(recorder, "likes zanzibar", BOB)
    await tell(recorder, "has a bird", Member(GUILD + 1, ADA.user_id))
    first = await number_of(member_data, "lives in Rome")
    second = (await keeper.correct(ADA, first, said("lives in Oslo"))).id
    await make_guild_settings(database, clock, WritePolicy()).note_look(GUILD, [ADA.user_id], 900)
    files = await member_data.export(ADA, UTC)
    payload = verified(files.json)
    by_id = {one["id"]: one for one in payload["memories"]}
    assert by_id[str(first)]["superseded_by"] == str(second)
    assert by_id[str(first)]["status"] == "superseded"
    assert by_id[str(second)]["evidence"][0]["link"] is None
    assert [one["text"] for one in payload["messages"]] == ["lives in Rome"]
    assert payload["profile"] == "Lives in Oslo."
    assert payload["consent"] == {
        "holds": "lasting",
        "chosen": "lasting",
        "passive_opt_in": False,
        "passive_opt_out": False,
        "refuses_roasts": False,
        "never_first": False,
        "not_findable": False,
    }
    assert [one["action"] for one in payload["audit"]] == [
        *("consent lasting", "learnt", "learnt", "superseded", "viewed"),
    ]
    for words in ("zanzibar", "bird"):
        assert words.encode() not in files.json
        assert words not in files.text


async def test_what_ended_is_in_no_export(recorder, keeper, member_data, clock):
    await keeper.set_consent(ADA, Consent.TEMPORARY)
    await tell(recorder, "likes zanzibar")
    clock.advance(days=31)
    files = await member_data.export(ADA, UTC)
    payload = verified(files.json)
    assert (payload["memories"], payload["messages"], payload["profile"]) == ([], [], "")


async def test_an_unchanged_export_is_handed_out_as_it_was_made(recorder, keeper, member_data):
    await tell(recorder, "likes tea")
    made = await member_data.export(ADA, UTC)
    assert await member_data.export(ADA, UTC, made) is made
    assert await member_data.export(replace(ADA, guild_id=GUILD + 1), UTC, made) is not made


async def test_what_is_erased_meanwhile_is_not_handed_out(recorder, keeper, member_data, clock):
    await tell(recorder, "likes zanzibar")
    clock.advance(days=31)
    made = await member_data.export(ADA, UTC)
    assert b"zanzibar" in made.json
    await keeper.set_consent(ADA, Consent.TEMPORARY)
    latest = await member_data.export(ADA, UTC, made)
    assert latest is not made
    assert b"zanzibar" not in latest.json
    assert "zanzibar" not in latest.text


async def test_messages_that_taught_nothing_are_erased_from_an_export_too(
    recorder,
    keeper,
    member_data,
):
    event = make_event("likes zanzibar", author_id=BOB.user_id)
    await recorder.record(event, HERE)
    made = await member_data.export(BOB, UTC)
    assert b"zanzibar" in made.json
    await keeper.retention.retract(GUILD, [event.message_id])
    assert b"zanzibar" not in (await member_data.export(BOB, UTC, made)).json
