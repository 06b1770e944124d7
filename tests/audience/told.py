"""Stores secrets in every form in which something said in a channel is kept."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from itertools import product
from typing import Any
from uuid import uuid4

from sqlalchemy import Table, insert, update
from sqlalchemy.types import Boolean, Float, LargeBinary, Numeric

from tests.fakes.builders import make_event
from utils.database.core.engine import Connection
from utils.database.guilds import account_links
from utils.database.memories import members
from utils.database.messages import events, open_loops
from utils.database.schema.column_types import EnumText, UtcDateTime
from utils.database.schema.memory_tables import (
    artifact,
    artifact_text,
    episode,
    episode_member,
    episode_summary,
    memory_evidence,
    user_memory,
    user_state,
)
from utils.memory.consolidation.wording import search_stems
from utils.models.attachment import AttachmentKind, AttachmentState
from utils.models.episode import LoopKind, OpenLoop, SummaryPart
from utils.models.memory import (
    SERVER_USER_ID,
    Consent,
    EventState,
    Importance,
    Kind,
    Member,
    Source,
    Status,
)
from utils.models.memory import Form as MemoryForm

LASTS = timedelta(days=300)
WORKSHOP = "workshop"  # in every question, and in summaries: one word in common is not enough


class Form(Enum):
    """In which form a secret is stored."""

    MEMORY = "a memory"
    PROFILE = "the profile, made of memories from two channels"
    QUOTE = "a quote"
    EVIDENCE = "a message that confirms a memory from another channel"
    LORE = "lore"
    SERVER_FACT = "what was said for the server"
    NAME = "a name that the member gave themselves"
    MESSAGE = "a message"
    IMPORTED = "an imported message"
    ATTACHMENT = "the text of an attachment"
    SUMMARY = "the summary of a past episode"
    RUNNING = "the summary of the running episode"
    LOOP = "an open loop"
    LINKED_MEMORY = "a memory of the linked account"
    LINKED_MESSAGE = "a message of the linked account"


OF_SERVER = {Form.LORE: Kind.LORE, Form.SERVER_FACT: Kind.SERVER_FACT}
LINKED = frozenset({Form.LINKED_MEMORY, Form.LINKED_MESSAGE})
ONCE_A_CHANNEL = frozenset({Form.RUNNING})  # of which the newest replaces the others
NEEDS_MEMORY = frozenset({Form.PROFILE, Form.EVIDENCE})  # told elsewhere before


def link(connection: Connection, member: Member, other: Member, now: datetime) -> None:
    """Link two accounts of one person."""
    for own, named in ((member, other), (other, member)):
        account_links.claim(connection, own, named.user_id, now, now)


def secret_words() -> Iterator[str]:
    """Yield words that share no stem and stand in no other text."""
    for first, second, third in product("bdfgklmnprtvz", repeat=3):
        yield f"{first}o{second}a{third}ux"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a secret was told: a channel and, for a public thread, the parent it belongs to."""

    guild_id: int
    channel_id: int
    source_id: int


@dataclass(slots=True)
class Teller:
    """Writes what a member said, on behalf of their linked account too."""

    member: Member
    name: str
    linked: Member
    message_ids: Iterator[int]
    last_memory: tuple[int, int] = (0, 0)  # its id, and where it was told

    def begin(self, connection: Connection) -> None:
        """Let what the accounts say be kept."""
        for account in (self.member, self.linked):
            members.choose(connection, account, consent=Consent.LASTING)

    def tell(
        self, connection: Connection, place: Place, form: Form, secret: str, now: datetime
    ) -> None:
        """Store a secret as if the member had said it there.

        A profile rests on the last memory too; ``last_memory`` says where that was told.
        """
        account = self.linked if form in LINKED else self.member
        if form is Form.MEMORY:
            number = _memory(connection, account, place, form, f"owns a {secret}", now)
            self.last_memory = number, place.channel_id
        elif form in (Form.LINKED_MEMORY, *OF_SERVER):
            _memory(connection, account, place, form, f"owns a {secret}", now)
        elif form is Form.NAME:
            text = f"goes by {secret.title()}"
            _memory(connection, account, place, form, text, now, FactKey="name")
        elif form is Form.QUOTE:
            self._quote(connection, account, place, secret, now)
        elif form is Form.PROFILE:
            self._profile(connection, account, place, secret, now)
        elif form in (Form.MESSAGE, Form.LINKED_MESSAGE, Form.IMPORTED):
            self._message(connection, account, place, form, secret, now)
        elif form is Form.EVIDENCE:
            message_id = self._message(connection, account, place, form, secret, now)
            _evidence(connection, place, self.last_memory[0], message_id, secret, now)
        elif form is Form.ATTACHMENT:
            self._attachment(connection, account, place, secret, now)
        elif form is Form.LOOP:
            self._loop(connection, account, place, secret, now)
        else:
            _summary(connection, account, place, form, secret, now)
        members.lock(connection, account)
        members.invalidate_guild(connection, place.guild_id)

    def _message(
        self,
        connection: Connection,
        account: Member,
        place: Place,
        form: Form,
        secret: str,
        now: datetime,
    ) -> int:
        text = f"I really own a {secret} nowadays"
        event = make_event(
            text,
            guild_id=place.guild_id,
            channel_id=place.channel_id,
            source_id=place.source_id,
            message_id=next(self.message_ids),
            author_id=account.user_id,
            author_name=self.name,
            created_at=now - timedelta(days=2),
            stems=_stems(text),
        )
        state = EventState.IMPORTED if form is Form.IMPORTED else EventState.DONE
        events.insert(connection, event, now + LASTS, state)
        return event.message_id

    def _quote(
        self, connection: Connection, account: Member, place: Place, secret: str, now: datetime
    ) -> None:
        text = f"I always wanted a {secret}"
        number = _memory(connection, account, place, Form.QUOTE, text, now)
        _evidence(connection, place, number, next(self.message_ids), text, now)

    def _profile(
        self, connection: Connection, account: Member, place: Place, secret: str, now: datetime
    ) -> None:
        text = f"rises {len(secret)} minutes before {next(self.message_ids)}"
        number = _memory(connection, account, place, Form.MEMORY, text, now)
        ids = f"{self.last_memory[0]} {number}"
        connection.execute(
            update(user_state)
            .where(user_state.c.GuildId == account.guild_id, user_state.c.UserId == account.user_id)
            .values(UserNotes=f"Is fond of the {secret}.", NotesRowIds=ids)
        )

    def _attachment(
        self, connection: Connection, account: Member, place: Place, secret: str, now: datetime
    ) -> None:
        common = {"GuildId": place.guild_id, "UserId": account.user_id, "ExpiresAt": now + LASTS}
        file_id = _insert(
            connection,
            artifact,
            **common,
            ChannelId=place.channel_id,
            SourceId=place.source_id,
            MessageId=next(self.message_ids),
            Kind=AttachmentKind.DOCUMENT,
            Name="notes.txt",
            State=AttachmentState.DONE,
            CreatedAt=now - timedelta(days=1),
        )
        text = f"the {secret} stands in the shed"
        _insert(
            connection,
            artifact_text,
            **common,
            ArtifactId=file_id,
            Part=1,
            Text=text,
            Stems=_stems(text),
        )

    def _loop(
        self, connection: Connection, account: Member, place: Place, secret: str, now: datetime
    ) -> None:
        loop = OpenLoop(
            member=account,
            channel_id=place.channel_id,
            source_id=place.source_id,
            message_id=next(self.message_ids),
            kind=LoopKind.GOAL,
            text=f"finish the {secret}",
            created_at=now - timedelta(days=1),
            expires_at=now + LASTS,
        )
        open_loops.add(connection, loop)


def _memory(
    connection: Connection,
    account: Member,
    place: Place,
    form: Form,
    text: str,
    now: datetime,
    **given: Any,
) -> int:
    """Store a memory, and return its id."""
    return _insert(
        connection,
        user_memory,
        Uid=uuid4().hex,
        GuildId=place.guild_id,
        UserId=SERVER_USER_ID if form in OF_SERVER else account.user_id,
        ChannelId=place.source_id,
        Memory=text,
        Importance=Importance.MEDIUM,
        Kind=OF_SERVER.get(form, Kind.FACT),
        Form=MemoryForm.QUOTE if form is Form.QUOTE else MemoryForm.NOTE,
        Source=Source.CHAT,
        Status=Status.ACTIVE,
        Confidence=0.95,
        EvidenceCount=1,
        SearchStems=search_stems(text, ""),
        CreatedAt=now,
        LastConfirmedAt=now,
        **given,
    )


def _evidence(
    connection: Connection, place: Place, memory_id: int, message_id: int, quote: str, now: datetime
) -> None:
    _insert(
        connection,
        memory_evidence,
        GuildId=place.guild_id,
        MemoryId=memory_id,
        MessageId=message_id,
        ChannelId=place.channel_id,
        Quote=quote,
        SaidAt=now,
    )


def _summary(
    connection: Connection, account: Member, place: Place, form: Form, secret: str, now: datetime
) -> None:
    where = {
        "GuildId": place.guild_id,
        "ChannelId": place.channel_id,
        "SourceId": place.source_id,
        "ExpiresAt": now + LASTS,
    }
    is_running = form is Form.RUNNING
    began = now - timedelta(hours=1) if is_running else now - timedelta(days=3)
    number = _insert(
        connection,
        episode,
        **where,
        StartedAt=began,
        LastAt=began,
        ClosedAt=None if is_running else began,
    )
    connection.execute(
        insert(episode_member).values(
            GuildId=place.guild_id, EpisodeId=number, UserId=account.user_id
        )
    )
    text = f"They talked about the {secret} and the {WORKSHOP}."
    _insert(
        connection,
        episode_summary,
        **where,
        EpisodeId=number,
        Part=SummaryPart.RUNNING if is_running else SummaryPart.FINAL,
        Text=text,
        Stems=_stems(text),
        SaidFrom=began,
        SaidTo=began,
        CreatedAt=began,
    )


def _stems(text: str) -> str:
    """Return the stems of a text alone, as messages have them."""
    return search_stems(text, "").partition("\n")[0]


def _insert(connection: Connection, table: Table, **values: Any) -> int:
    """Insert a row; columns that must have a value and are not named get an empty one."""
    for column in table.columns:
        is_needed = (
            not column.nullable and column.default is None and column.autoincrement is not True
        )
        if is_needed and column.name not in values:
            values[column.name] = _empty(column.type)
    return connection.execute(insert(table).values(**values)).inserted_primary_key[0]


def _empty(type_: Any) -> Any:
    if isinstance(type_, EnumText):
        return next(iter(type_.enum))
    if isinstance(type_, UtcDateTime):
        raise TypeError("a time must be named")
    for kind, value in ((Boolean, False), (Float, 0.0), (Numeric, 0), (LargeBinary, b"")):
        if isinstance(type_, kind):
            return value
    return 0 if type_.python_type is int else ""
