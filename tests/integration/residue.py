"""Looking for words that ought to be gone: in every table, and in every byte of every file."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import select

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    FakeExtractor,
    audience,
    make_answer,
    make_budget,
    make_candidate,
    make_conversation,
    make_episode_summarizer,
    make_event,
    make_extraction,
    make_memory_service,
    make_reader,
    make_recorder,
    make_turn,
)
from tests.fakes.scribe import Scribe, lines_said, word_for_word
from utils.database.core import drivers
from utils.database.core.engine import Database
from utils.database.schema import fts_index
from utils.database.schema.memory_tables import (
    event_embedding,
    memory_embedding,
    memory_event,
    metadata,
    user_memory,
)
from utils.memory.ingestion.recorder import Recorder
from utils.memory.member_data.view import MemberData
from utils.memory.privacy.prune_report import PruneReport
from utils.memory.privacy.pruning import prune
from utils.memory.privacy.retention import Retention
from utils.models.memory import Consent, Event, Member
from utils.models.policy import WritePolicy
from utils.models.recall import Person
from utils.runtime.signals import MemorySignals

WORD = "zanzibar"
THREAD = 4711
NOT_OF_A_MEMBER = ("UserState", "GuildSettings", "AnswerSource")  # counters, and what Kith said
MAX_END = 6
SHADOW_TABLES = f"SELECT name FROM sqlite_master WHERE name GLOB '{fts_index.NAME}_*'"
HERE = replace(audience(), is_open=True)


class Household:
    """Ada and Bob talk to Kith; ``live`` begins with lasting consent, and nothing said yet."""

    def __init__(self, database: Database, url: str, clock) -> None:
        self.database, self.url, self.clock = database, url, clock
        self.extractor = FakeExtractor(attributed)
        self.signals = MemorySignals()
        self.recorder: Recorder = make_recorder(
            database,
            clock,
            self.extractor,
            policy=WritePolicy(writes_per_session=100),
            signals=self.signals,
        )
        self.keeper = make_memory_service(database, clock, signals=self.signals)
        self.reader = make_reader(database, clock)
        budget = make_budget(database, clock)
        self.talk = make_conversation(self.recorder, self.reader, budget, clock, None)
        self.member_data = MemberData(database, clock)
        self.retention = Retention(database, clock)
        self.text_of_vector: dict[bytes, str] = {}
        self.chronicler = make_episode_summarizer(database, clock, Scribe(with_everything_open))

    async def move_in(self) -> None:
        for member in (ADA, BOB):
            await self.keeper.set_consent(member, Consent.LASTING)
        await self.recorder.start()

    async def tell(self, text: str, member: Member = ADA, **given) -> Event:
        """Let a member say something, have it answered in the same words, and have it read."""
        given = {"author_id": member.user_id, "guild_id": member.guild_id} | given
        event = make_event(text, **{"created_at": self.clock.now()} | given)
        await self.recorder.record(event, HERE)
        await self._answer(event, f"So: {text}!")
        await self.recorder.settle()
        return event

    async def retold(self, about: Member, text: str, to: Member = BOB) -> None:
        """Let Kith tell somebody else, later, what it knows of a member."""
        asked = make_event("what do you know?", author_id=to.user_id, created_at=self.clock.now())
        await self.recorder.record(asked, HERE)
        await self._answer(asked, text, about)
        await self.recorder.settle()

    async def _answer(self, event: Event, text: str, *about: Member) -> None:
        """Let Kith answer in these words what it was asked, with a prompt made as always."""
        people = (Person(event.author_id, event.author_name),)
        people += tuple(Person(member.user_id, "somebody") for member in about)
        turn = make_turn(event, THREAD, people=people)  # whose readers also read the thread
        prepared = await self.talk.prepare(turn)
        answer = replace(
            make_answer(event, text),
            about_ids=prepared.about_ids,
            provenance=prepared.provenance,
        )
        await self.recorder.record(answer, HERE)

    async def edit(self, event: Event, text: str, revision: int = 7) -> bool:
        edited = make_event(
            text,
            message_id=event.message_id,
            author_id=event.author_id,
            channel_id=event.channel_id,
            created_at=event.created_at,
            revision=revision,
        )
        done = await self.retention.revise(edited, lambda: self.recorder.record(edited, HERE))
        await self.recorder.settle()
        return done

    async def close_chapters(self) -> None:
        """Let nine hours pass in silence, and have all that was said summarised, word for word."""
        self.clock.advance(hours=9)
        await self.chronicler.catch_up()

    async def embed(self, maker) -> None:
        """Have vectors made of everything, and remember what each was made of."""
        await maker.catch_up()
        self.text_of_vector |= await self.database.read(_vectors_with_texts)

    async def prune(self) -> PruneReport:
        return await prune(self.database, self.clock, WritePolicy())

    async def known(self, member: Member = ADA) -> list[str]:
        return sorted(row.text for row in (await self.member_data.show(member)).rows)

    async def profile(self, member: Member = ADA) -> str:
        return (await self.member_data.show(member)).profile

    async def residue(self, word: str = WORD) -> list[str]:
        """Where a word is still to be found: tables, those of the full-text index, and files.

        The overwriting that an erasure asked for in the background is finished first.
        """
        await self.database.finish_scrubbing()

        def unit(connection):
            rows = {
                table.name: connection.execute(select(table)).all()
                for table in metadata.sorted_tables
            }
            if fts_index.exists(connection):
                for shadow in connection.exec_driver_sql(SHADOW_TABLES).scalars().all():
                    rows[shadow] = connection.exec_driver_sql(f'SELECT * FROM "{shadow}"').all()
            return [
                name
                for name, found in rows.items()
                if any(holds(value, word) for row in found for value in row)
            ]

        found = await self.database.read(unit)
        found += [file.name for file in self.files() if holds(file.read_bytes(), word)]
        return found + await self._vectors_left(word)

    async def _vectors_left(self, word: str) -> list[str]:
        """Where a vector that was made of a text with the word is still to be found."""
        made = [vector for vector, said in self.text_of_vector.items() if word in said.lower()]
        stored = await self.database.read(
            lambda connection: [
                vector
                for table in (memory_embedding, event_embedding)
                for vector in connection.scalars(select(table.c.Vector))
            ]
        )
        found = ["a vector" for vector in made if vector in stored]
        return found + [
            f"a vector in {file.name}"
            for file in self.files()
            if any(vector in file.read_bytes() for vector in made)
        ]

    def files(self) -> list[Path]:
        return files_of(self.url)

    async def snapshot(self, member: Member) -> list[str]:
        """Every stored row of one member, but for counters and what Kith said."""

        def unit(connection):
            rows = []
            for table in metadata.sorted_tables:
                if "GuildId" not in table.c or table.name in NOT_OF_A_MEMBER:
                    continue
                whose = table.c.get("UserId", table.c.get("AuthorId"))
                if whose is None:
                    continue
                query = select(table).where(
                    table.c.GuildId == member.guild_id, whose == member.user_id
                )
                rows += [f"{table.name} {tuple(row)}" for row in connection.execute(query)]
            return sorted(rows)

        return await self.database.read(unit)


def files_of(database_url: str) -> list[Path]:
    """The files of a database; none of one on a server."""
    url = drivers.parse_url(database_url)
    if url.get_backend_name() != "sqlite":
        return []
    file = Path(drivers.sqlite_file(url))
    return list(file.parent.glob(f"{file.name}*"))


def _vectors_with_texts(connection) -> dict[bytes, str]:
    rows, events = memory_embedding.c, event_embedding.c
    of_rows = select(rows.Vector, user_memory.c.Memory).where(rows.MemoryId == user_memory.c.Id)
    of_events = select(events.Vector, memory_event.c.Text).where(
        events.EventId == memory_event.c.Id
    )
    return {
        vector: said for query in (of_rows, of_events) for vector, said in connection.execute(query)
    }


def holds(value: object, word: str) -> bool:
    """Whether a word is in a value; of bytes, its end is enough: what it begins with may be shared
    with the word before it in the full-text index."""
    if isinstance(value, bytes):
        return word[-MAX_END:] in value.lower().decode("latin-1")
    return word in str(value).lower()


def with_everything_open(asked: str) -> dict[str, Any]:
    """A summary of everything that was said, all of it still open."""
    found = [
        {"person": person, "kind": "goal", "text": line, "quote": line}
        for line in lines_said(asked)
        if not line.startswith("So: ")
        for person in ("p1", "p2")
    ]
    return {**word_for_word(asked), "loops": found[:4]}


def attributed(reading):
    """A permanent fact of each message, word for word; what stands before a colon is its
    attribute, and a memory of the same attribute is replaced."""
    found = []
    for event in reading.burst.events:
        attribute, _, text = event.text.rpartition(": ")
        old = [row.id for row in reading.rows if attribute and row.fact_key == attribute]
        if text and not text.endswith("?"):
            found.append(
                make_candidate(
                    text,
                    subject_id=event.author_id,
                    attribute=attribute,
                    replaces=old[-1] if old else None,
                )
            )
    return make_extraction(*found)


__all__ = ["ADA", "BOB", "CHANNEL", "HERE", "WORD", "Household"]
