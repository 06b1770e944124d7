"""List every table: whose data its rows are, which erasures delete them, and when they expire.

It is the only list of tables that erasures have. deletion.py reads it to delete what belongs to a
member, a message, a channel or a server, and what has expired. What rests on erased words is found
by its sources instead: answers, summaries and open loops (dependants.py), notes (note_context.py)
and stories (lore.py). A test compares the list with the schema.

DERIVED lists what is computed from words, and is therefore cleared or deleted with them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, case, literal

from utils.database.core.engine import Connection
from utils.database.guilds.account_links import IS_UNCONFIRMED
from utils.database.memories import audit
from utils.database.messages import attachments, episodes
from utils.database.schema import memory_tables as tables
from utils.database.sentiment import alerts
from utils.models.alert import AlertState
from utils.models.memory import EventState, Status

_EVENT, _MEMORY, _FILE = tables.memory_event.c, tables.user_memory.c, tables.artifact.c
_PART, _SUMMARY = tables.artifact_text.c, tables.episode_summary.c
_FILE_TEXTS = (_FILE.Name, _FILE.MediaType, _FILE.Sha256, _FILE.Url, _FILE.Caption)
DERIVED: Mapping[Column[Any], Sequence[Column[Any]]] = {
    _EVENT.Text: (_EVENT.Stems, tables.event_embedding.c.Vector, *_FILE_TEXTS),
    # SQLite's full-text index (fts_index.py) is made of the topics and the stems.
    _MEMORY.Memory: (
        *(_MEMORY.Topics, _MEMORY.FactKey, _MEMORY.SearchStems),
        tables.memory_embedding.c.Vector,
    ),
    _PART.Text: (_PART.Stems,),
    _SUMMARY.Text: (_SUMMARY.Structure, _SUMMARY.Stems),
}
"""By each column with words, the columns computed from it: stems, vectors, captions, hashes, ...

Those of the same row are cleared with the words. Rows of other tables are deleted with them: by a
trigger or key, or as the inventory says.
"""


def without(words: Column[Any]) -> dict[str, str]:
    """Return the values of a row that has neither its words nor what is computed from them."""
    columns = (words, *DERIVED[words])
    return {column.name: "" for column in columns if column.table is words.table}


NO_WORDS: Mapping[str, Any] = {**without(_EVENT.Text), "AuthorName": ""}
"""The values of a message of which only the ids are stored."""
_STATE = _EVENT.State
BLANK_MESSAGE: Mapping[str, Any] = {
    **NO_WORDS,
    # Overheard and imported messages keep their kind: a later edit must not enter the chat.
    "State": case(
        (_STATE == EventState.OVERHEARD, _STATE),
        (tables.is_from_export(_STATE), literal(EventState.IMPORTED, _STATE.type)),
        else_=literal(EventState.DONE, _STATE.type),
    ),
}
BLANK_MEMORY: Mapping[str, Any] = {**without(_MEMORY.Memory), "Status": Status.FORGOTTEN}
BLANK_EVIDENCE: Mapping[str, Any] = {"Quote": ""}
BLANK_STATE: Mapping[str, Any] = {  # and no consent, unless it is off
    "UserNotes": "",
    "NotesRowIds": "",
    "PassiveOptIn": False,
    "MemoryVersion": tables.user_state.c.MemoryVersion + 1,
    "LastSeenAt": None,
    "LeftAt": None,
    "ConsentAskedAt": None,
    "TimeZone": None,
    "NeverFirst": False,
}


class Extent(IntEnum):
    """How much of a member is erased; each includes those before it."""

    MESSAGES = 1  # their messages to Kith, and what was made from them
    SAID = 2  # also what they said to others, and their link: everything forgotten, consent off
    MEMBER = 3  # also their choices and counts


@dataclass(frozen=True, slots=True)
class Expiry:
    """Rows expire ``days`` after the time or day in a column; with ``only``, just those of them."""

    column: str
    days: int = 0
    only: ColumnElement[bool] | None = None


@dataclass(frozen=True, slots=True)
class TableErasure:
    """How erasures find the rows of a table, and what happens to them.

    Args:
        table: the table.
        extent: the smallest extent that deletes a member's rows; None: deletion.py leaves them.
        why: why nothing here deletes a member's rows, or with which other rows they go earlier.
        member: the columns of which any may hold the member whose row it is.
        with_message: whether rows are deleted with the message that they name.
        channel: the columns that may hold a channel or thread with which a row is deleted.
        expiries: when rows expire by themselves; the first one that applies counts.
        blank: the values of a row that stays without its words.
        outlives_server: whether rows stay when everything else of their server is deleted.
        delete: deletes rows by server and ids, with the rows of other tables that are part of them.
    """

    table: Table
    extent: Extent | None = None
    why: str = ""
    member: tuple[str, ...] = ("UserId",)
    with_message: bool = False
    channel: tuple[str, ...] = ()
    expiries: tuple[Expiry, ...] = ()
    blank: Mapping[str, Any] | None = None
    outlives_server: bool = False
    delete: Callable[[Connection, int, Sequence[int]], None] | None = None

    @property
    def member_columns(self) -> list[Column[Any]]:
        """Return the columns with the member whose row it is."""
        return [self.table.c[name] for name in self.member if name in self.table.c]


MESSAGES, SAID, MEMBER = Extent
_EXPIRES = (Expiry("ExpiresAt"),)
_CHANNEL, _THREAD, _PLACE = ("ChannelId",), ("ChannelId", "SourceId"), ("ChannelId", "PlaceId")
_CASE = tables.alert.c.State == AlertState.CASE
_CHOSEN = "moderators' choice"
_PERMANENT = "stays, so that no backup brings anything back"

INVENTORY = (
    # Messages and answers, and what was made from them.
    TableErasure(
        tables.memory_event,
        why="messages.py blanks or deletes it",
        member=("AuthorId",),
        expiries=_EXPIRES,
        blank=BLANK_MESSAGE,
    ),
    TableErasure(tables.event_embedding, MEMBER, "goes with its message (trigger, key)"),
    TableErasure(tables.answer_source, MEMBER, "goes with its answer (key)"),
    TableErasure(tables.answer_removal, why="goes once Discord has deleted the answer"),
    TableErasure(tables.pending_answer, why="goes once the question is answered"),
    TableErasure(
        tables.artifact, MESSAGES, with_message=True, expiries=_EXPIRES, delete=attachments.erase
    ),
    TableErasure(tables.artifact_text, MESSAGES, "part of an artifact", expiries=_EXPIRES),
    TableErasure(tables.open_loop, MESSAGES, "dependants.py: with a message", expiries=_EXPIRES),
    TableErasure(tables.loop_source, why="goes with its open loop (key)"),
    TableErasure(tables.episode, channel=_THREAD, expiries=_EXPIRES, delete=episodes.erase),
    TableErasure(
        tables.episode_summary, why="dependants.py; part of an episode", expiries=_EXPIRES
    ),
    TableErasure(tables.episode_member, MESSAGES, "part of an episode"),
    TableErasure(tables.shadow_recall, MESSAGES, with_message=True, expiries=(Expiry("At", 30),)),
    TableErasure(tables.tombstone, MESSAGES),
    # Memories.
    TableErasure(tables.user_memory, why="forgetting.py, memories.remove", blank=BLANK_MEMORY),
    TableErasure(tables.memory_embedding, MEMBER, "goes with its memory (trigger, key)"),
    TableErasure(
        tables.memory_evidence, why="memories.remove: with its memory", blank=BLANK_EVIDENCE
    ),
    TableErasure(
        tables.memory_context, why="memories.remove: with its memory", member=("AuthorId",)
    ),
    TableErasure(
        tables.memory_audit,
        why="the bare fact stays; the text goes with the memory",
        blank=audit.NO_TEXT,
        outlives_server=True,
    ),
    # Watched channels.
    TableErasure(
        tables.waiting_message,
        SAID,
        with_message=True,
        channel=_PLACE,
        expiries=(Expiry("CreatedAt", 1),),
    ),
    TableErasure(
        tables.message_score,
        SAID,
        with_message=True,
        channel=_PLACE,
        expiries=(Expiry("SaidAt", 30),),
    ),
    TableErasure(tables.tension, SAID, channel=_CHANNEL, expiries=(Expiry("At", 30),)),
    TableErasure(  # the posts are blanked a day before
        tables.alert,
        channel=("PlaceId",),
        expiries=(Expiry("ChangedAt", 31, only=~_CASE), Expiry("ChangedAt", 91)),
        delete=alerts.erase,
    ),
    TableErasure(tables.alert_message, SAID, "part of an alert"),
    TableErasure(tables.moderator_action, SAID, expiries=(Expiry("At", 365),)),
    TableErasure(tables.watched_channel, why=_CHOSEN, channel=_CHANNEL),
    TableErasure(tables.watch_settings, why=_CHOSEN),
    # Members.
    TableErasure(
        tables.user_state,
        why="what prevents storing more stays",
        blank=BLANK_STATE,
        outlives_server=True,
    ),
    TableErasure(tables.passive_refusal, why="prevents storing more", outlives_server=True),
    TableErasure(
        tables.account_link,
        SAID,
        member=("UserId", "OtherId"),
        expiries=(Expiry("At", 1, only=IS_UNCONFIRMED),),
    ),
    TableErasure(tables.roast_refusal, MEMBER),
    TableErasure(tables.token_use, MEMBER, expiries=(Expiry("Day", 90),)),
    # Servers.
    TableErasure(tables.channel_purpose, why=_CHOSEN, channel=_CHANNEL),
    TableErasure(tables.channel_mode, why=_CHOSEN, channel=_CHANNEL),
    TableErasure(tables.model_choice, why=_CHOSEN, channel=_CHANNEL),
    TableErasure(tables.speaking_place, why=_CHOSEN, channel=_CHANNEL),
    TableErasure(tables.channel_state, channel=_CHANNEL),
    TableErasure(tables.history_import, channel=_CHANNEL, expiries=(Expiry("ChangedAt", 90),)),
    TableErasure(tables.persona, why="stays until moderators delete it, with who wrote it"),
    TableErasure(tables.policy_version, why=_CHOSEN),
    TableErasure(
        tables.daily_count, expiries=(Expiry("Day", 400),)
    ),  # to compare with the year before
    TableErasure(tables.guild_settings, why="retention.delete_guild: last", outlives_server=True),
    # The installation.
    TableErasure(tables.erasure_ledger, why=_PERMANENT, member=(), outlives_server=True),
    TableErasure(tables.lease, why="of the installation"),
    TableErasure(tables.job_run, why="of the installation"),
    TableErasure(tables.heartbeat, why="of the installation"),
    TableErasure(tables.command_sync, why="of the installation"),
    TableErasure(tables.read_policy_use, why="of the installation"),
    TableErasure(tables.read_policy_version, why="of the installation"),
)
