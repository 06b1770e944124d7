"""The records of an archive: one model per line type, its limits, and the column of each field.

An error names the field and what it must be; it never quotes the value.
"""

import json
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from utils.database.admin.archive_values import (
    ACTOR,
    ID,
    MAX_POLICY_LENGTH,
    POLICY,
    REVISION,
    SHARE,
    TIME_ZONE,
    TOMBSTONE_REVISION,
    TOOL_SERVER_NAME,
    UID,
    Count,
    Flag,
    Id,
    OptionalId,
    OptionalTime,
    Time,
    key_up_to,
    list_of,
    objects,
    one_of,
    optional,
    refuse,
    text_up_to,
    tuple_of,
)
from utils.models.episode import LOOP_LIMIT, LoopKind, LoopState
from utils.models.guild import PERSONA_LIMIT, PERSONA_NAME_LIMIT, Purpose
from utils.models.llm import MODEL_LIMIT
from utils.models.memory import (
    EVENT_LIMIT,
    MEMORY_LIMIT,
    PROFILE_LIMIT,
    TOPICS_LIMIT,
    Consent,
    Form,
    Importance,
    Kind,
    Method,
    Source,
    Status,
    VerifiedBy,
)
from utils.models.policy import REASON_LIMIT

MAX_MEMBER_AUDIT = 100_000
R = TypeVar("R", bound="ArchiveRecord")

Mode: TypeAlias = Annotated[str, key_up_to(50)]
Topics: TypeAlias = Annotated[str, text_up_to(TOPICS_LIMIT)]
MemoryText: TypeAlias = Annotated[str, text_up_to(MEMORY_LIMIT)]
AuditText: TypeAlias = Annotated[str | None, optional(text_up_to(MAX_POLICY_LENGTH))]
Actor: TypeAlias = Annotated[int, ACTOR]


class InvalidRecord(ValueError):
    """A line is no record of its file; the message says why, without the value."""


class ArchiveRecord(BaseModel):
    """A line of an archive, or an object inside one. Fields that it does not know are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    columns: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """Collect the database column of each field that has one."""
        cls.columns = {
            name: str(extra["column"])
            for name, field in cls.model_fields.items()
            if isinstance(extra := field.json_schema_extra, dict)
        }

    @classmethod
    def from_row(cls, row: Any, **values: Any) -> Self:
        """Return the record of a database row; ``values`` are fields that differ from the row."""
        columns = cls.columns.items()
        stored = {name: getattr(row, column) for name, column in columns if name not in values}
        return cls.model_construct(**stored, **values)

    def to_row(self, **values: Any) -> dict[str, Any]:
        """Return the database row of a record; ``values`` are columns that differ from it."""
        return {column: getattr(self, name) for name, column in self.columns.items()} | values


def column(name: str) -> Any:
    """Declare the database column of a field."""
    return Field(json_schema_extra={"column": name})


class EvidenceRecord(ArchiveRecord):
    """One piece of a memory's evidence."""

    message: Id = column("MessageId")
    channel: Id = column("ChannelId")
    quote: MemoryText = column("Quote")
    method: Annotated[Method, one_of(Method)] = column("Method")
    model: Annotated[str, text_up_to(100)] = column("Model")
    prompt_hash: Annotated[str, key_up_to(64)] = column("PromptHash")
    said_at: Time = column("SaidAt")
    verified_by: Annotated[VerifiedBy, one_of(VerifiedBy)] = column("VerifiedBy")
    verifier_model: Annotated[str, text_up_to(100)] = column("VerifierModel")
    verifier_hash: Annotated[str, key_up_to(64)] = column("VerifierHash")


class ContextRecord(ArchiveRecord):
    """A message, or by its uid another memory, that supplied words of a note.

    ``author`` wrote the message; null: Kith did, or an earlier version did not note it.
    """

    message: OptionalId
    memory: Annotated[str | None, optional(UID)]
    author: OptionalId = None


class AuditRecord(ArchiveRecord):
    """One audit entry. In ``before``, #uid names another memory."""

    at: Time = column("At")
    actor: Actor = column("ActorId")
    action: Annotated[str, key_up_to(20)] = column("Action")
    before: AuditText = column("Before")
    after: AuditText = column("After")


class ChannelRecord(ArchiveRecord):
    """What a server uses a channel for."""

    channel: Id = column("ChannelId")
    purpose: Annotated[Purpose, one_of(Purpose)] = column("Purpose")
    topics: Topics = column("Topics")


class ChannelModeRecord(ArchiveRecord):
    """The mode of one channel."""

    channel: Id = column("ChannelId")
    mode: Mode = column("Mode")


class ModelChoiceRecord(ArchiveRecord):
    """The chat model that a server, or a channel of it, asks first. Channel 0 is the server."""

    channel: Id = column("ChannelId")
    model: Annotated[str, key_up_to(MODEL_LIMIT)] = column("Model")


class PersonaRecord(ArchiveRecord):
    """A persona of a server."""

    name: Annotated[str, key_up_to(PERSONA_NAME_LIMIT)] = column("Name")
    text: Annotated[str, text_up_to(PERSONA_LIMIT)] = column("Text")
    created_by: Actor = column("CreatedById")
    created_at: Time = column("CreatedAt")
    changed_by: Actor = column("ChangedById")
    changed_at: Time = column("ChangedAt")


class PolicyRecord(ArchiveRecord):
    """One version of a server's write policy."""

    version: Count = column("Version")
    at: Time = column("At")
    actor: Actor = column("ActorId")
    reason: Annotated[str, text_up_to(REASON_LIMIT)] = column("Reason")
    policy: Annotated[str, POLICY] = column("Policy")


class ServerRecord(ArchiveRecord):
    """A server's settings."""

    server: Id = column("GuildId")
    mode: Mode = column("Mode")
    time_zone: Annotated[str, TIME_ZONE] = column("TimeZone")
    base_role: OptionalId = column("BaseRoleId")
    implied_roles: Annotated[tuple[int, ...], tuple_of(ID)] = column("ImpliedRoleIds")
    consent_default: Annotated[Consent, one_of([Consent.TEMPORARY, Consent.LASTING])] = column(
        "ConsentDefault"
    )
    frozen: Flag = column("Frozen")
    moderators_see_members: Flag = column("ModeratorsSeeMembers")
    lore: Flag = column("Lore")
    talk_roles: Annotated[tuple[int, ...], tuple_of(ID)] = column("TalkRoleIds")
    tool_servers: Annotated[tuple[str, ...], tuple_of(TOOL_SERVER_NAME)] = column("ToolServers")
    channels: Annotated[list[ChannelRecord], objects()]
    channel_modes: Annotated[list[ChannelModeRecord], objects()]
    models: Annotated[list[ModelChoiceRecord], objects()]
    personas: Annotated[list[PersonaRecord], objects()]
    policy_version: Count = column("PolicyVersion")
    policies: Annotated[list[PolicyRecord], objects()]


class MemberKeyedRecord(ArchiveRecord):
    """A record that belongs to a member in a server."""

    server: Id = column("GuildId")
    member: Id = column("UserId")


class MemberRecord(MemberKeyedRecord):
    """A member's choices and profile. ``audit`` is about all of their memories at once."""

    consent: Annotated[Consent | None, optional(one_of(Consent))] = column("Consent")
    overhears: Flag = column("PassiveOptIn")
    refuses_overhearing: Flag
    refuses_roasts: Flag
    ignored: Flag = column("Ignored")
    time_zone: Annotated[str | None, optional(key_up_to(64))] = column("TimeZone")
    never_first: Flag = column("NeverFirst")
    seen_at: OptionalTime = column("LastSeenAt")
    profile: Annotated[str, text_up_to(PROFILE_LIMIT)] = column("UserNotes")
    profile_rows: Annotated[list[str], list_of(UID)]
    audit: Annotated[list[AuditRecord], objects(MAX_MEMBER_AUDIT)]


class TombstoneRecord(MemberKeyedRecord):
    """A message that no memory may be learned from, up to a revision."""

    message: Id = column("MessageId")
    revision: Annotated[int, TOMBSTONE_REVISION] = column("Revision")


class MessageRecord(MemberKeyedRecord):
    """A stored message of a member. ``confidential``: others are not to hear of it."""

    member: Id = column("AuthorId")
    channel: Id = column("ChannelId")
    source: Id = column("SourceId")
    message: Id = column("MessageId")
    revision: Annotated[int, REVISION] = column("Revision")
    reply_to: OptionalId = column("ReplyToId")
    name: Annotated[str, text_up_to(100)] = column("AuthorName")
    text: Annotated[str, text_up_to(EVENT_LIMIT)] = column("Text")
    overheard: Flag
    confidential: Flag = False
    at: Time = column("CreatedAt")


class MemoryRecord(MemberKeyedRecord):
    """A memory with its evidence, context and audit.

    ``superseded_by`` is the uid of another memory. ``confidential``: others are not to hear of it.
    """

    uid: Annotated[str, UID] = column("Uid")
    channel: Id = column("ChannelId")
    text: MemoryText = column("Memory")
    topics: Topics = column("Topics")
    importance: Annotated[Importance, one_of(Importance)] = column("Importance")
    kind: Annotated[Kind, one_of(Kind)] = column("Kind")
    attribute: Annotated[str, key_up_to(100)] = column("FactKey")
    source: Annotated[Source, one_of(Source)] = column("Source")
    status: Annotated[
        Status, one_of(status for status in Status if status is not Status.FORGOTTEN)
    ] = column("Status")
    confidence: Annotated[float, SHARE] = column("Confidence")
    said_at: Time = column("CreatedAt")
    confirmed_at: Time = column("LastConfirmedAt")
    used_at: OptionalTime = column("LastUsedAt")
    uses: Count = column("UseCount")
    ends_at: OptionalTime = column("ExpiresAt")
    form: Annotated[Form, one_of(Form)] = column("Form")
    superseded_by: Annotated[str | None, optional(UID)]
    confidential: Flag = False
    evidence: Annotated[list[EvidenceRecord], objects()]
    context: Annotated[list[ContextRecord], objects()]
    audit: Annotated[list[AuditRecord], objects()]


class LoopRecord(MemberKeyedRecord):
    """Something a member wants to be asked about later."""

    channel: Id = column("ChannelId")
    source: Id = column("SourceId")
    message: Id = column("MessageId")
    kind: Annotated[LoopKind, one_of(LoopKind)] = column("Kind")
    text: Annotated[str, text_up_to(LOOP_LIMIT)] = column("Text")
    state: Annotated[LoopState, one_of(LoopState)] = column("State")
    due_at: OptionalTime = column("DueAt")
    at: Time = column("CreatedAt")
    ends_at: Time = column("ExpiresAt")


FILE_NAMES: dict[type[ArchiveRecord], str] = {
    ServerRecord: "servers.jsonl",
    MemberRecord: "members.jsonl",
    TombstoneRecord: "tombstones.jsonl",
    MessageRecord: "messages.jsonl",
    MemoryRecord: "memories.jsonl",
    LoopRecord: "open.jsonl",
}
RECORD_TYPES = {name: record_type for record_type, name in FILE_NAMES.items()}


# --- lines ----------------------------------------------------------------------------------------


def write_line(record: ArchiveRecord) -> bytes:
    """Return a record as a line of JSON, with its line end."""
    values = record.model_dump()
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def read_line(record_type: type[R], line: bytes) -> R:
    """Return the record that a line holds. Raises InvalidRecord, which says what is wrong."""
    values = _parse(line)
    if not isinstance(values, dict):
        raise InvalidRecord("it is no JSON object")
    try:
        return record_type.model_validate(values)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=False, include_input=False)
        raise InvalidRecord(_sentence(errors)) from None


def _sentence(errors: list[ErrorDetails]) -> str:
    """Say what is wrong first: a missing field, else an unknown one, else the first bad value."""
    missing = sorted(str(error["loc"][-1]) for error in errors if error["type"] == "missing")
    if missing:
        return f"{missing[0]!r} is missing"
    if any(error["type"] == "extra_forbidden" for error in errors):
        return "it has a field I don't know"
    field = [part for part in errors[0]["loc"] if isinstance(part, str)][-1]
    return f"{field!r} must be {errors[0]['msg']}"


def _parse(line: bytes) -> Any:
    try:
        return json.loads(line.decode(), object_pairs_hook=_object, parse_constant=refuse)
    except InvalidRecord:
        raise
    except (ValueError, RecursionError):
        raise InvalidRecord("it is not JSON") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise InvalidRecord("it names a field twice")
    return values
