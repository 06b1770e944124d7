"""The inventory: of every table, whose its rows are, what takes them along, and when they end.

It is the only list of tables that erasures have. deletion.py deletes by it what belongs to a
member, a message, a channel or a server, and what has ended. What rests on erased words is found by
its sources instead: answers, summaries and open loops (dependants.py), notes (note_context.py) and
stories (lore.py). A test compares the inventory with the schema.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, case, literal

from utils.database.core.engine import Connection
from utils.database.guilds.account_links import IS_UNCONFIRMED
from utils.database.memories import audit_entries
from utils.database.messages import attachments, episodes
from utils.database.schema import memory_tables as tables
from utils.database.sentiment import alerts
from utils.models.alert import AlertState
from utils.models.memory import EventState, Status

_STATE = tables.memory_event.c.State
BLANK_MESSAGE: Mapping[str, Any] = {
    "Text": "",
    "Stems": "",
    "AuthorName": "",
    # Overheard and imported messages keep their kind: a later edit must not enter the chat.
    "State": case(
        (_STATE == EventState.OVERHEARD, _STATE),
        (tables.is_from_export(_STATE), literal(EventState.IMPORTED, _STATE.type)),
        else_=literal(EventState.DONE, _STATE.type),
    ),
}
BLANK_MEMORY: Mapping[str, Any] = {
    "Memory": "",
    "Topics": "",
    "FactKey": "",
    "SearchStems": "",
    "Status": Status.FORGOTTEN,
}
BLANK_EVIDENCE: Mapping[str, Any] = {"Quote": ""}
BLANK_STATE: Mapping[str, Any] = {  # also no consent, unless it is off
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

    MESSAGES = 1  # their messages to Kith, and what was made of them
    SAID = 2  # also what they said to others, and their link: everything forgotten, consent off
    MEMBER = 3  # also their choices and counts


@dataclass(frozen=True, slots=True)
class End:
    """Rows end so long after the time or day in a column; ``only``: those that meet a condition."""

    column: str
    days: int = 0
    only: ColumnElement[bool] | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """How erasures find the rows of a table, and what happens to them.

    Args:
        table: the table.
        goes_with: the least of a member that takes their rows along; None: nothing does.
        why: why nothing here deletes a member's rows, or which other rows take them along earlier.
        member: the columns with the member whose row it is; any of them counts.
        with_message: a forgotten or deleted message takes its rows along.
        channel: a deleted channel or thread takes along the rows that have it in any of these.
        ends: when rows end by themselves.
        blank: the values of a row that stays without its words.
        outlives_server: the rows stay when everything else of their server is deleted.
        delete: deletes rows by server and ids, with the rows of other tables that are part of them.
    """

    table: Table
    goes_with: Extent | None = None
    why: str = ""
    member: tuple[str, ...] = ("UserId",)
    with_message: bool = False
    channel: tuple[str, ...] = ()
    ends: tuple[End, ...] = ()
    blank: Mapping[str, Any] | None = None
    outlives_server: bool = False
    delete: Callable[[Connection, int, Sequence[int]], None] | None = None

    @property
    def member_columns(self) -> list[Column[Any]]:
        """Return the columns with the member whose row it is."""
        return [self.table.c[name] for name in self.member if name in self.table.c]


MESSAGES, SAID, MEMBER = Extent
_EXPIRES = (End("ExpiresAt"),)
_CHANNEL, _THREAD, _PLACE = ("ChannelId",), ("ChannelId", "SourceId"), ("ChannelId", "PlaceId")
_CASE = tables.alert.c.State == AlertState.CASE
_CHOSEN = "moderators' choice"
_PERMANENT = "stays, so that no backup brings anything back"

INVENTORY = (
    # Messages and answers, and what was made of them.
    Stored(
        tables.memory_event,
        why="messages.py blanks or deletes it",
        member=("AuthorId",),
        ends=_EXPIRES,
        blank=BLANK_MESSAGE,
    ),
    Stored(tables.event_embedding, MEMBER, "goes with its message (trigger, key)"),
    Stored(tables.answer_source, MEMBER, "goes with its answer (key)"),
    Stored(tables.answer_removal, why="goes once Discord has deleted the answer"),
    Stored(tables.pending_answer, why="goes once the question is answered"),
    Stored(tables.artifact, MESSAGES, with_message=True, ends=_EXPIRES, delete=attachments.erase),
    Stored(tables.artifact_text, MESSAGES, "part of an artifact", ends=_EXPIRES),
    Stored(tables.open_loop, MESSAGES, "dependants.py: with a message", ends=_EXPIRES),
    Stored(tables.loop_source, why="goes with its open loop (key)"),
    Stored(tables.episode, channel=_THREAD, ends=_EXPIRES, delete=episodes.erase),
    Stored(tables.episode_summary, why="dependants.py; part of an episode", ends=_EXPIRES),
    Stored(tables.episode_member, MESSAGES, "part of an episode"),
    Stored(tables.shadow_recall, MESSAGES, with_message=True, ends=(End("At", 30),)),
    Stored(tables.tombstone, MESSAGES),
    # Memories.
    Stored(tables.user_memory, why="forgetting.py, memories.remove", blank=BLANK_MEMORY),
    Stored(tables.memory_embedding, MEMBER, "goes with its memory (trigger, key)"),
    Stored(tables.memory_evidence, why="memories.remove: with its memory", blank=BLANK_EVIDENCE),
    Stored(tables.memory_context, why="memories.remove: with its memory"),
    Stored(tables.proposed_note, MEMBER, "memories.remove: with its memory", ends=_EXPIRES),
    Stored(
        tables.memory_audit,
        why="the bare fact stays; the text goes with the memory",
        blank=audit_entries.NO_TEXT,
        outlives_server=True,
    ),
    # Watched channels.
    Stored(
        tables.waiting_message, SAID, with_message=True, channel=_PLACE, ends=(End("CreatedAt", 1),)
    ),
    Stored(
        tables.message_score, SAID, with_message=True, channel=_PLACE, ends=(End("SaidAt", 30),)
    ),
    Stored(tables.tension, SAID, channel=_CHANNEL, ends=(End("At", 30),)),
    Stored(  # the posts are blanked a day before
        tables.alert,
        channel=("PlaceId",),
        ends=(End("ChangedAt", 31, only=~_CASE), End("ChangedAt", 91)),
        delete=alerts.erase,
    ),
    Stored(tables.alert_message, SAID, "part of an alert"),
    Stored(tables.moderator_action, SAID, ends=(End("At", 365),)),
    Stored(tables.watched_channel, why=_CHOSEN, channel=_CHANNEL),
    Stored(tables.watch_settings, why=_CHOSEN),
    # Members.
    Stored(
        tables.user_state,
        why="what prevents storing more stays",
        blank=BLANK_STATE,
        outlives_server=True,
    ),
    Stored(tables.passive_refusal, why="prevents storing more", outlives_server=True),
    Stored(
        tables.account_link,
        SAID,
        member=("UserId", "OtherId"),
        ends=(End("At", 1, only=IS_UNCONFIRMED),),
    ),
    Stored(tables.roast_refusal, MEMBER),
    Stored(tables.token_use, MEMBER, ends=(End("Day", 90),)),
    # Servers.
    Stored(tables.channel_purpose, why=_CHOSEN, channel=_CHANNEL),
    Stored(tables.channel_mode, why=_CHOSEN, channel=_CHANNEL),
    Stored(tables.model_choice, why=_CHOSEN, channel=_CHANNEL),
    Stored(tables.speaking_place, why=_CHOSEN, channel=_CHANNEL),
    Stored(tables.channel_state, channel=_CHANNEL),
    Stored(tables.history_import, channel=_CHANNEL, ends=(End("ChangedAt", 90),)),
    Stored(tables.persona, why="stays until moderators delete it, with who wrote it"),
    Stored(tables.policy_version, why=_CHOSEN),
    Stored(tables.census, why="identifies nobody"),
    Stored(tables.daily_count, ends=(End("Day", 400),)),  # to compare with the year before
    Stored(tables.guild_settings, why="retention.delete_guild: last", outlives_server=True),
    # The installation.
    Stored(tables.erasure_ledger, why=_PERMANENT, member=(), outlives_server=True),
    Stored(tables.lease, why="of the installation"),
    Stored(tables.job_run, why="of the installation"),
    Stored(tables.heartbeat, why="of the installation"),
    Stored(tables.command_sync, why="of the installation"),
    Stored(tables.read_policy_use, why="of the installation"),
    Stored(tables.read_policy_version, why="of the installation"),
)
