"""Looking for words that ought to be gone: in every table, and in every byte of every file."""

from dataclasses import replace
from pathlib import Path

from sqlalchemy import select

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    FakeExtractor,
    audience,
    make_answer,
    make_candidate,
    make_event,
    make_extraction,
    make_recorder,
)
from utils.database import drivers
from utils.database.engine import Database
from utils.database.tables import metadata
from utils.memory.keeper import Keeper
from utils.memory.pruning import PruneReport, prune
from utils.memory.reader import Reader
from utils.memory.recorder import Recorder
from utils.memory.retention import Retention
from utils.model.memory import Consent, Event, Member
from utils.model.policy import WritePolicy

WORD = "zanzibar"
HERE = replace(audience(), is_open=True)


class Household:
    """Ada and Bob talk to Kith; ``live`` begins with lasting consent, and nothing said yet."""

    def __init__(self, database: Database, url: str, clock) -> None:
        self.database, self.url, self.clock = database, url, clock
        self.extractor = FakeExtractor(attributed)
        self.recorder: Recorder = make_recorder(
            database, clock, self.extractor, policy=WritePolicy(writes_per_session=100)
        )
        self.keeper = Keeper(database, clock)
        self.reader = Reader(database, clock)
        self.retention = Retention(database, clock)

    async def move_in(self) -> None:
        for member in (ADA, BOB):
            await self.keeper.set_consent(member, Consent.LASTING)
        await self.recorder.start()

    async def tell(self, text: str, member: Member = ADA, **given) -> Event:
        """Let a member say something, have it answered in the same words, and have it read."""
        given = {"author_id": member.user_id, "guild_id": member.guild_id} | given
        event = make_event(text, **{"created_at": self.clock.now()} | given)
        await self.recorder.record(event, HERE)
        answer = make_answer(event, f"So: {text}!", about_ids=(member.user_id,))
        await self.recorder.record(answer, HERE)
        await self.recorder.settle()
        return event

    async def retold(self, about: Member, text: str, to: Member = BOB) -> None:
        """Let Kith tell somebody else, later, what it knows of a member."""
        asked = make_event("what do you know?", author_id=to.user_id, created_at=self.clock.now())
        await self.recorder.record(asked, HERE)
        await self.recorder.record(make_answer(asked, text, about_ids=(about.user_id,)), HERE)
        await self.recorder.settle()

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

    async def prune(self) -> PruneReport:
        return await prune(self.database, self.clock, WritePolicy())

    async def known(self, member: Member = ADA) -> list[str]:
        return sorted(row.text for row in (await self.reader.show(member)).rows)

    async def profile(self, member: Member = ADA) -> str:
        return (await self.reader.show(member)).profile

    async def residue(self, word: str = WORD) -> list[str]:
        """Where a word is still to be found: tables, and files."""

        def unit(session):
            return [
                table.name
                for table in metadata.sorted_tables
                if any(
                    word in str(value).lower()
                    for row in session.execute(select(table))
                    for value in row
                )
            ]

        found = await self.database.read(unit)
        return found + [file.name for file in self.files() if word in text_of(file)]

    def files(self) -> list[Path]:
        url = drivers.parse_url(self.url)
        if url.get_backend_name() != "sqlite":
            return []
        file = Path(drivers.sqlite_file(url))
        return list(file.parent.glob(f"{file.name}*"))

    async def snapshot(self, member: Member) -> list[str]:
        """Every stored row of one member, but for counters and what Kith said."""

        def unit(session):
            rows = []
            for table in metadata.sorted_tables:
                if "GuildId" not in table.c or table.name in ("UserState", "GuildSettings"):
                    continue
                whose = table.c.get("UserId", table.c.get("AuthorId"))
                if whose is None:
                    continue
                query = select(table).where(
                    table.c.GuildId == member.guild_id, whose == member.user_id
                )
                rows += [f"{table.name} {tuple(row)}" for row in session.execute(query)]
            return rows

        return await self.database.read(unit)


def text_of(file: Path) -> str:
    return file.read_bytes().lower().decode("latin-1")


def attributed(reading):
    """A permanent fact of each message, word for word; what stands before a colon is its
    attribute, and a memory of the same attribute is replaced."""
    found = []
    for event in reading.burst.events:
        attribute, _, text = event.text.rpartition(": ")
        old = [row.id for row in reading.rows if attribute and row.fact_key == attribute]
        if text:
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
