"""List every table: whose data its rows are, which erasures delete them, when they expire, and
which of them an archive holds.

It is the only list of tables that erasures and archives have. deletion.py reads it to delete what
belongs to a member, a message, a channel or a server, and what has expired. What rests on erased
words is found by its sources instead: answers, summaries and open loops (dependants.py), notes
(note_context.py) and stories (lore.py). A test compares the list with the schema.

DERIVED lists what is computed from words, and is therefore cleared or deleted with them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, and_, case, literal

from utils.database.core.engine import Connection
from utils.database.guilds.account_links import IS_UNCONFIRMED
from utils.database.memories import audit
from utils.database.memories.review_queue import POSTED
from utils.database.messages import attachments, episodes
from utils.database.schema import memory_tables as tables
from utils.database.schema.column_types import is_not_empty
from utils.database.sentiment import alerts
from utils.models.alert import AlertState
from utils.models.memory import EventState, Role, Status
from utils.models.sentiment import CASE_DAYS_KEPT, DAYS_KEPT

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


NO_WORDS: Mapping[str, Any] = {**without(_EVENT.Text), "AuthorName": "", "Receipt": None}
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
    "Noted": None,
    "NotFindable": False,
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


class Part(IntEnum):
    """The parts of an archive, in their order. An import decides about a part's rows together."""

    SERVER = 1
    CHOICES = 2
    MESSAGES = 3
    MEMORIES = 4
    LOOPS = 5
    TOMBSTONES = 6  # last: a memory may outlive the message that it shared with a forgotten one


@dataclass(frozen=True, slots=True)
class Archived:
    """How an archive holds the rows of a table that have not expired.

    Args:
        part: the part of the archive, whose tables stand in the inventory's order.
        without: the columns that are left out, besides the row's number.
        only: which rows; None: all.
    """

    part: Part
    without: tuple[str, ...] = ()
    only: ColumnElement[bool] | None = None


@dataclass(frozen=True, slots=True)
class TableErasure:
    """How erasures find the rows of a table, and what happens to them.

    Args:
        table: the table.
        extent: the smallest extent that deletes a member's rows; None: deletion.py leaves them.
        why: why nothing here deletes a member's rows, or with which other rows they go earlier.
        member: the columns that may hold the member whose row it is.
        with_message: whether rows are deleted with the message that they name.
        channel: the columns that may hold a channel or thread with which a row is deleted.
        expiries: when rows expire by themselves; the first one that applies counts.
        blank: the values of a row that stays without its words.
        outlives_server: whether rows stay when everything else of their server is deleted.
        delete: deletes rows by server and ids, with the rows of other tables that are part of them.
        archived: how an archive holds the rows; None: it does not.
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
    archived: Archived | None = None

    @property
    def member_columns(self) -> list[Column[Any]]:
        """Return the columns with the member whose row it is."""
        return [self.table.c[name] for name in self.member if name in self.table.c]


MESSAGES, SAID, MEMBER = Extent
_EXPIRES = (Expiry("ExpiresAt"),)
_CHANNEL, _THREAD, _PLACE = ("ChannelId",), ("ChannelId", "SourceId"), ("ChannelId", "PlaceId")
_CASE = tables.alert.c.State == AlertState.CASE
_CHOSEN = "moderators' choice"
_ARCHIVED_SERVER = Archived(Part.SERVER)
_PERMANENT = "stays, so that no backup brings anything back"

INVENTORY = (
    # Messages and answers, and what was made from them.
    TableErasure(
        tables.memory_event,
        why="messages.py blanks or deletes it",
        member=("AuthorId",),
        expiries=_EXPIRES,
        blank=BLANK_MESSAGE,
        archived=Archived(
            Part.MESSAGES,
            without=("Role", "AboutIds", "EpisodeId", "Attempts", "Receipt"),
            only=and_(_EVENT.Role == Role.MEMBER, is_not_empty(_EVENT.Text)),
        ),
    ),
    TableErasure(tables.event_embedding, MEMBER, "goes with its message (trigger, key)"),
    TableErasure(tables.answer_source, MEMBER, "goes with its answer (key)"),
    TableErasure(tables.answer_removal, why="goes once Discord has deleted the answer"),
    TableErasure(tables.pending_answer, why="goes once the question is answered"),
    TableErasure(
        tables.note_mark, why="goes once Discord no longer shows the mark", channel=_CHANNEL
    ),
    TableErasure(
        tables.artifact, MESSAGES, with_message=True, expiries=_EXPIRES, delete=attachments.erase
    ),
    TableErasure(tables.artifact_text, MESSAGES, "part of an artifact", expiries=_EXPIRES),
    TableErasure(
        tables.open_loop,
        MESSAGES,
        "dependants.py: with a message",
        expiries=_EXPIRES,
        archived=Archived(
            Part.LOOPS, without=("Offers", "FirstOfferedAt", "LastOfferedAt", "Misses")
        ),
    ),
    TableErasure(tables.loop_source, why="goes with its open loop (key)"),
    TableErasure(tables.episode, channel=_THREAD, expiries=_EXPIRES, delete=episodes.erase),
    TableErasure(
        tables.episode_summary, why="dependants.py; part of an episode", expiries=_EXPIRES
    ),
    TableErasure(tables.episode_member, MESSAGES, "part of an episode"),
    TableErasure(tables.shadow_recall, MESSAGES, with_message=True, expiries=(Expiry("At", 30),)),
    TableErasure(tables.tombstone, MESSAGES, archived=Archived(Part.TOMBSTONES)),
    # Memories.
    TableErasure(
        tables.user_memory,
        why="forgetting.py, memories.remove",
        blank=BLANK_MEMORY,
        archived=Archived(
            Part.MEMORIES, without=("EvidenceCount",), only=_MEMORY.Status != Status.FORGOTTEN
        ),
    ),
    TableErasure(tables.memory_embedding, MEMBER, "goes with its memory (trigger, key)"),
    TableErasure(
        tables.memory_evidence,
        why="memories.remove: with its memory",
        blank=BLANK_EVIDENCE,
        archived=Archived(Part.MEMORIES),
    ),
    TableErasure(
        tables.memory_context,
        why="memories.remove: with its memory",
        member=("AuthorId",),
        archived=Archived(Part.MEMORIES),
    ),
    TableErasure(
        tables.memory_audit,
        why="the bare fact stays; the text goes with the memory",
        blank=audit.NO_TEXT,
        outlives_server=True,
        # A post names a Discord message of the review queue.
        archived=Archived(Part.MEMORIES, only=tables.memory_audit.c.Action != POSTED),
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
        expiries=(Expiry("SaidAt", DAYS_KEPT),),
    ),
    TableErasure(tables.tension, SAID, channel=_CHANNEL, expiries=(Expiry("At", DAYS_KEPT),)),
    TableErasure(  # the posts are blanked a day before; with a channel they lose its messages
        tables.alert,
        expiries=(
            Expiry("ChangedAt", DAYS_KEPT + 1, only=~_CASE),
            Expiry("ChangedAt", CASE_DAYS_KEPT + 1),
        ),
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
        archived=Archived(
            Part.CHOICES, without=("MemoryVersion", "Additions", "LeftAt", "ConsentAskedAt")
        ),
    ),
    TableErasure(
        tables.passive_refusal,
        why="prevents storing more",
        outlives_server=True,
        archived=Archived(Part.CHOICES),
    ),
    TableErasure(
        tables.account_link,
        SAID,
        member=("UserId", "OtherId"),
        expiries=(Expiry("At", 1, only=IS_UNCONFIRMED),),
    ),
    TableErasure(tables.roast_refusal, MEMBER, archived=Archived(Part.CHOICES)),
    TableErasure(tables.token_use, MEMBER, expiries=(Expiry("Day", 90),)),
    # Servers. Modes may name personas, and the settings a policy: an archive holds those before.
    TableErasure(
        tables.persona,
        why="stays until moderators delete it, with who wrote it",
        archived=_ARCHIVED_SERVER,
    ),
    TableErasure(tables.policy_version, why=_CHOSEN, archived=_ARCHIVED_SERVER),
    TableErasure(tables.channel_purpose, why=_CHOSEN, channel=_CHANNEL, archived=_ARCHIVED_SERVER),
    TableErasure(tables.channel_mode, why=_CHOSEN, channel=_CHANNEL, archived=_ARCHIVED_SERVER),
    TableErasure(tables.model_choice, why=_CHOSEN, channel=_CHANNEL, archived=_ARCHIVED_SERVER),
    TableErasure(tables.speaking_place, why=_CHOSEN, channel=_CHANNEL),
    TableErasure(tables.channel_state, channel=_CHANNEL),
    TableErasure(tables.history_import, channel=_CHANNEL, expiries=(Expiry("ChangedAt", 90),)),
    TableErasure(
        tables.daily_count, expiries=(Expiry("Day", 400),)
    ),  # to compare with the year before
    TableErasure(
        tables.guild_settings,
        why="retention.delete_guild: last",
        outlives_server=True,
        archived=Archived(
            Part.SERVER, without=("RemovedAt",), only=tables.guild_settings.c.RemovedAt.is_(None)
        ),
    ),
    # The installation.
    TableErasure(tables.erasure_ledger, why=_PERMANENT, member=(), outlives_server=True),
    TableErasure(tables.lease, why="of the installation"),
    TableErasure(tables.job_run, why="of the installation"),
    TableErasure(tables.heartbeat, why="of the installation"),
    TableErasure(tables.command_sync, why="of the installation"),
    TableErasure(tables.read_policy_use, why="of the installation"),
    TableErasure(tables.read_policy_version, why="of the installation"),
)
