"""Attachments in the database: read once, by one worker, and gone with what they came with."""

import asyncio
from dataclasses import replace
from datetime import UTC
from typing import Any

import pytest
from sqlalchemy import select, update

from tests import attached_files as files
from tests.fakes.builders import (
    make_budget,
    make_candidate,
    make_extraction,
    make_infrastructure,
    make_rules,
)
from tests.fakes.clock import ManualClock
from tests.integration.residue import ADA, BOB, CHANNEL, HERE, WORD, Household
from tests.integration.stored_rows import in_order
from utils.common.errors import ModelUnreachable
from utils.database.core.engine import Database
from utils.database.memories import members
from utils.database.messages import attachments
from utils.database.schema.memory_tables import artifact
from utils.files.downloading import DownloadFailed
from utils.files.sandbox import FileSandbox
from utils.files.sandbox_process import read
from utils.files.sniffing import declared_attachment
from utils.files.unreadable import UnreadableFile
from utils.memory.attachments.captioning import Describer
from utils.memory.attachments.reader import AttachmentReader
from utils.memory.attachments.tool_results import ToolResults
from utils.models.attachment import Attachment, AttachmentState, FileDescription, placeholders
from utils.models.guild import GuildSettings
from utils.models.memory import DIRECT_MESSAGES, Consent, Event, Kind, Member
from utils.models.recall import Person

BUDGET = 1_000_000


class FakeCdn:
    """Files by their addresses; it may be down, and hold an answer back."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.fetched: list[str] = []
        self.is_down = False
        self.gate: asyncio.Event | None = None
        self.reached = asyncio.Event()

    async def fetch(self, url: str, size: int) -> bytes:
        self.fetched.append(url)
        self.reached.set()
        if self.gate is not None:
            await self.gate.wait()
        if self.is_down:
            raise DownloadFailed
        if url not in self.files:
            raise UnreadableFile("Discord no longer has it")
        return self.files[url]


class LocalSandbox(FileSandbox):
    """Reads in this process: a new one for each file takes a quarter of a second."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[str] = []

    async def read(self, data: bytes, name: str) -> Any:
        self.reads.append(name)
        return read(data, name)


class VectorMatrix(Household):
    """Ada and Bob post files, which are read as they come."""

    def __init__(self, database: Database, url: str, clock: ManualClock) -> None:
        super().__init__(database, url, clock)
        self.cdn, self.workers = FakeCdn(), LocalSandbox()
        self.artifacts = self.reader_of_attachments()
        self.signals.attachments.connect(lambda *stored: self.artifacts.expect(*stored))

    def reader_of_attachments(self, describer: Describer | None = None) -> AttachmentReader:
        budget = make_budget(self.database, self.clock, BUDGET)
        return AttachmentReader(
            make_infrastructure(self.database, self.clock),
            self.cdn,  # type: ignore[arg-type]
            self.workers,
            describer or Describer(self.workers, budget),
        )

    def file(self, name: str, data: bytes) -> Attachment:
        url = f"https://cdn.discordapp.com/{len(self.cdn.files)}/{name}"
        self.cdn.files[url] = data
        return declared_attachment(name, "", len(data), url)

    async def post(self, text: str, *attached: Attachment, **given: Any) -> Event:
        """Let somebody say something with files, and have them read."""
        event = await self.tell(
            "\n".join(filter(None, (text, placeholders(attached)))), attachments=attached, **given
        )
        await self.artifacts.settle()
        return event

    async def states(self) -> list[AttachmentState]:
        return await self.database.read(in_order, artifact.c.State)

    async def recalled(self, text: str, member: Member = ADA) -> str:
        people = [Person(member.user_id, "Ada")]
        settings = GuildSettings(member.guild_id)
        return (await self.reader.recall(HERE, people, text, settings=settings)).block


@pytest.fixture
async def shelf(database, database_url):
    made = VectorMatrix(database, database_url, ManualClock())
    await made.move_in()
    yield made
    await made.recorder.close()
    await made.artifacts.close()


def pages(word: str = WORD) -> bytes:
    return files.pdf(f"The {word} expedition", "Pack four tents")


async def test_what_a_file_says_is_kept_found_again_and_its_address_is_not(shelf):
    await shelf.post("my plan", shelf.file("plan.pdf", pages()))
    block = await shelf.recalled("how many tents does my pdf say?")
    said_on_that_day = block.partition('"(page 2) Pack four tents"')[2].partition(" | ")[0]
    assert said_on_that_day.endswith(" (11 March)")
    assert "[document #A" in block
    rows = await shelf.database.read(lambda connection: connection.execute(select(artifact)).all())
    assert [(row.State, row.Url, row.Name) for row in rows] == [
        (AttachmentState.DONE, "", "plan.pdf")
    ]


async def test_what_was_prepared_before_a_file_was_read_is_stale_and_fresh_copies_are_kept(
    shelf, monkeypatch
):
    await shelf.tell("I have a dog named Rex")
    assert "tents" not in await shelf.recalled("tents?")
    await shelf.post("my plan", shelf.file("plan.pdf", pages()))
    assert "Pack four tents" in await shelf.recalled("tents?")
    monkeypatch.setattr(
        "utils.memory.recall.prepared_cache.sayings.attachments",
        lambda *_: pytest.fail("a seek"),
    )
    assert "Pack four tents" in await shelf.recalled("tents again?")


async def test_the_same_file_is_read_once_in_a_server_and_told_under_each_name(shelf):
    await shelf.post("mine", shelf.file("a.pdf", pages()))
    await shelf.post("mine too", shelf.file("secret-name-of-bob.pdf", pages()), member=BOB)
    assert shelf.workers.reads == ["a.pdf"]
    block = await shelf.recalled("tents?", BOB)
    assert "Pack four tents" in block
    assert "a.pdf" not in block


async def test_a_file_is_told_only_where_its_channel_is_read(shelf):
    elsewhere = CHANNEL + 1
    await shelf.post("psst", shelf.file("plan.pdf", pages()), channel_id=elsewhere)
    assert "tents" not in await shelf.recalled("tents?")


async def test_what_cannot_be_read_says_so_and_is_not_tried_again(shelf):
    gone = declared_attachment("gone.pdf", "", 9, "https://cdn.discordapp.com/none")
    event = await shelf.post("look", gone, shelf.file("all.bin", files.archive()))
    found = await shelf.artifacts.attachment_texts(event)
    assert [one.line.partition("] ")[2] for one in found] == [
        "gone.pdf: not read: Discord no longer has it",
        "all.bin: not read: files of this type are not read",
    ]
    assert await shelf.states() == [AttachmentState.FAILED, AttachmentState.REFUSED]
    fetched = len(shelf.cdn.fetched)
    await shelf.artifacts.settle()
    assert len(shelf.cdn.fetched) == fetched


async def test_an_outage_is_tried_again_and_given_up_at_last(shelf):
    shelf.cdn.is_down = True
    event = await shelf.post("my plan", shelf.file("plan.pdf", pages()))
    assert await shelf.states() == [AttachmentState.PENDING]
    shelf.cdn.is_down = False
    await shelf.artifacts.settle()
    assert await shelf.states() == [AttachmentState.DONE]
    shelf.cdn.is_down = True
    event = await shelf.post("another", shelf.file("b.pdf", pages("yeti")))
    for _ in range(3):
        await shelf.artifacts.settle()
    (found,) = await shelf.artifacts.attachment_texts(event)
    assert found.caption == "not read: Discord did not hand it over"


async def test_what_a_crash_left_is_taken_up_and_given_up_after_a_few(shelf):
    shelf.cdn.is_down = True
    event = await shelf.post("my plan", shelf.file("plan.pdf", pages()))
    shelf.cdn.is_down = False

    def crash(connection, attempts):
        connection.execute(
            update(artifact).values(State=AttachmentState.CLAIMED, Attempts=attempts)
        )

    await shelf.database.write(crash, 2)
    again = shelf.reader_of_attachments()
    await again.settle()
    assert await shelf.states() == [AttachmentState.DONE]
    await shelf.database.write(crash, 3)
    await again.settle()
    assert await shelf.states() == [AttachmentState.FAILED]
    assert (await again.attachment_texts(event))[0].caption == "reading it failed several times"
    await again.close()


class MoodyDescriber(Describer):
    """Describes files, unless its model is away or makes nothing of them."""

    def __init__(self) -> None:
        self.asked = 0
        self.is_away = self.is_lost = False

    async def describe(self, member, attachment, contents, *, patient):
        self.asked += 1
        if self.is_away and patient:
            raise ModelUnreachable
        is_fallback = self.is_away or self.is_lost
        caption = "not looked at" if is_fallback else "a map"
        return FileDescription(contents.kind, caption, is_fallback=is_fallback)

    async def close(self) -> None:
        pass


@pytest.fixture
def moody(shelf):
    describer = MoodyDescriber()
    shelf.artifacts = shelf.reader_of_attachments(describer)
    return describer


async def caption_of(shelf, event: Event) -> str:
    (found,) = await shelf.artifacts.attachment_texts(event)
    return found.caption


async def test_a_model_that_is_away_for_hours_costs_no_picture_its_description(shelf, moody):
    moody.is_away = True
    event = await shelf.post("my map", shelf.file("map.png", files.png()))
    for _ in range(40):
        shelf.clock.advance(60)
        await shelf.artifacts.settle()
    assert await shelf.states() == [AttachmentState.PENDING]
    assert moody.asked < 15  # it rests longer and longer, and is not fetched each minute
    moody.is_away = False
    shelf.clock.advance(600)
    await shelf.artifacts.settle()
    assert await caption_of(shelf, event) == "a map"


async def test_in_direct_messages_nobody_is_told_what_was_made_of_anothers_file(shelf, moody):
    ada, bob = replace(ADA, guild_id=DIRECT_MESSAGES), replace(BOB, guild_id=DIRECT_MESSAGES)
    for member in (ada, ada, bob):
        await shelf.post("mine", shelf.file("a.png", files.png()), member=member)
    assert moody.asked == 2


async def test_whoever_posts_much_keeps_nobody_waiting(shelf):
    shelf.cdn.gate = asyncio.Event()
    many = [shelf.file(f"{n}.txt", b"x%d" % n) for n in range(3)]
    for _ in range(3):
        await shelf.tell(f"my plans\n{placeholders(many)}", attachments=many)
    one = shelf.file("bob.txt", b"mine")
    await shelf.tell(f"mine\n{placeholders([one])}", attachments=[one], member=BOB)
    async with asyncio.timeout(30):
        while len(shelf.cdn.fetched) < 2:  # noqa: ASYNC110 - Ada's first, and Bob's
            await asyncio.sleep(0)
    for _ in range(200):
        await asyncio.sleep(0)
    assert sorted(url[-7:] for url in shelf.cdn.fetched) == [many[0].url[-7:], "bob.txt"]
    found = await shelf.database.read(attachments.list_unfinished, limit=9)
    assert {member.user_id for member, _ in found} == {ADA.user_id, BOB.user_id}
    rows = await shelf.database.read(lambda connection: connection.execute(select(artifact)).all())
    assert sum(row.Attempts for row in rows) == 2  # only of what is being read
    shelf.cdn.gate.set()


async def test_of_a_message_the_first_four_files_are_read(shelf):
    many = [shelf.file(f"{n}.txt", b"x%d" % n) for n in range(6)]
    event = await shelf.post("my plans", *many)
    found = await shelf.artifacts.attachment_texts(event)
    assert [one.state for one in found] == [AttachmentState.DONE] * 4 + [
        AttachmentState.REFUSED
    ] * 2
    assert found[4].caption == "not read: I read 4 files of a message at most"
    assert len(shelf.cdn.fetched) == 4


async def test_a_shutdown_is_no_attempt(shelf):
    shelf.cdn.gate = asyncio.Event()
    event = await shelf.tell("my plan", attachments=(shelf.file("plan.pdf", pages()),))
    shelf.artifacts.expect(event.member, event.message_id)
    await shelf.cdn.reached.wait()
    await shelf.artifacts.close()
    rows = await shelf.database.read(lambda connection: connection.execute(select(artifact)).all())
    assert [(row.State, row.Attempts) for row in rows] == [(AttachmentState.PENDING, 0)]


async def test_a_message_deleted_while_its_file_is_read_leaves_nothing(shelf):
    shelf.cdn.gate = asyncio.Event()
    event = await shelf.tell("my plan", attachments=(shelf.file(f"{WORD}.pdf", pages()),))
    await shelf.cdn.reached.wait()
    await shelf.retention.retract(event.guild_id, [event.message_id])
    shelf.cdn.gate.set()
    await shelf.artifacts.settle()
    assert await shelf.states() == []
    assert await shelf.residue() == []


async def test_an_edit_keeps_what_is_still_attached_and_drops_what_is_not(shelf):
    kept, dropped = shelf.file("kept.pdf", pages("kraken")), shelf.file("old.pdf", pages())
    event = await shelf.post("my plans", dropped, kept)
    fetched = len(shelf.cdn.fetched)
    edited = replace(
        event, text=f"my plan\n{placeholders([kept])}", attachments=(kept,), revision=7
    )
    await shelf.retention.revise(edited, lambda: shelf.recorder.record(edited, HERE))
    await shelf.recorder.settle()
    await shelf.artifacts.settle()
    (found,) = await shelf.artifacts.attachment_texts(edited)
    assert (found.name, found.state) == ("kept.pdf", AttachmentState.DONE)
    assert len(shelf.cdn.fetched) == fetched
    assert await shelf.residue() == []


async def test_an_edit_that_may_not_be_stored_keeps_nothing(shelf):
    kept = shelf.file("kept.pdf", pages())
    event = await shelf.post("my plan", kept)

    async def hear() -> None:
        await shelf.database.write(members.set_ignored, member=ADA, ignored=True)
        await shelf.recorder.record(edited, HERE)

    edited = replace(event, text=f"better\n{placeholders([kept])}", attachments=(kept,), revision=7)
    await shelf.retention.revise(edited, hear)
    assert await shelf.states() == []
    assert await shelf.residue() == []


async def test_of_a_member_who_is_ignored_while_a_file_is_read_nothing_of_it_is_kept(shelf):
    shelf.cdn.gate = asyncio.Event()
    posting = asyncio.create_task(shelf.post("my plan", shelf.file("plan.pdf", pages())))
    await shelf.cdn.reached.wait()
    await shelf.database.write(members.set_ignored, member=ADA, ignored=True)
    shelf.cdn.gate.set()
    await posting
    assert await shelf.states() == [AttachmentState.FAILED]
    assert await shelf.residue() == []


@pytest.mark.parametrize("way", ["deletion", "time"])
async def test_nothing_of_a_file_outlives_what_it_came_with(shelf, way):
    event = await shelf.post("my plan", shelf.file(f"{WORD}.pdf", pages()))
    assert "ArtifactText" in await shelf.residue()
    match way:
        case "deletion":
            await shelf.retention.retract(event.guild_id, [event.message_id])
        case "time":
            shelf.clock.advance(366 * 86_400)
            await shelf.prune()
    assert await shelf.states() == []
    assert await shelf.residue() == []


async def test_without_consent_a_file_is_read_for_one_answer_and_nothing_is_stored(shelf):
    await shelf.keeper.set_consent(ADA, Consent.OFF)
    event = await shelf.post("my plan", shelf.file("plan.pdf", pages()))
    (found,) = await shelf.artifacts.attachment_texts(event)
    assert (found.id, found.parts[1]) == (0, "(page 2) Pack four tents")
    assert await shelf.states() == []
    assert await shelf.residue() == []


@pytest.mark.parametrize("attached", [False, True])
async def test_what_a_tool_said_of_a_message_without_room_is_kept_if_a_file_is_named_there(
    shelf, attached
):
    results = ToolResults(shelf.database, shelf.clock, make_rules())
    plan = [shelf.file("plan.pdf", pages())] if attached else []
    event = await shelf.post("🦉" * (1_980 if attached else 1_995), *plan)
    assert await results.keep(event, "web, read_page", "The owl sleeps.") is attached


async def test_an_export_holds_what_files_say(shelf):
    await shelf.post("my plan", shelf.file("plan.pdf", pages()))
    made = await shelf.member_data.export(ADA, UTC)
    assert "(page 2) Pack four tents" in made.text
    assert b"Pack four tents" in made.json
    assert b"Pack four tents" not in (await shelf.member_data.export(BOB, UTC)).json


# --- memories -----------------------------------------------------------------------------------


def noting(kind: Kind):
    def extract(reading):
        shown = [one for event in reading.burst.events for one in event.attachment_texts]
        if not shown:
            return make_extraction()
        return make_extraction(
            make_candidate(
                "has a flight to Oslo on 3 April",
                quote="Flight to Oslo on 3 April",
                kind=kind,
                lifetime_days=30,
            )
        )

    return extract


async def flight(shelf) -> Event:
    return await shelf.post(
        "yay, my flight!", shelf.file("ticket.txt", b"Flight to Oslo on 3 April, seat 12A")
    )


async def test_a_task_is_learnt_from_a_file_with_less_confidence_once_it_is_read(shelf):
    shelf.extractor.read = noting(Kind.TASK)
    shelf.cdn.is_down = True
    await flight(shelf)
    await shelf.recorder.settle()
    assert not shelf.extractor.readings  # it waits for the file
    shelf.cdn.is_down = False
    await shelf.artifacts.settle()
    await shelf.recorder.settle()
    (row,) = (await shelf.member_data.show(ADA)).rows
    assert (row.text, row.confidence) == ("has a flight to Oslo on 3 April", pytest.approx(0.63))


async def test_somebody_elses_words_on_a_screenshot_are_nothing_of_their_posters(shelf):
    shown = shelf.file("screenshot.txt", b"Sam: I am moving to Oslo on Friday")
    quote = "moving to Oslo on Friday"
    candidate = make_candidate("is moving to Oslo", quote=quote, kind=Kind.TASK)
    shelf.extractor.read = lambda _: make_extraction(candidate)
    await shelf.post("look what Sam sent me", shown)
    await shelf.recorder.settle()
    assert await shelf.known() == []
    assert shelf.recorder.extraction.refused["attachment"] == 1


async def test_what_stays_true_is_not_learnt_from_a_file(shelf):
    shelf.extractor.read = noting(Kind.FACT)
    await flight(shelf)
    await shelf.recorder.settle()
    assert await shelf.known() == []
    assert shelf.recorder.extraction.refused["attachment"] == 1
