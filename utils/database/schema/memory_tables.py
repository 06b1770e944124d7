"""The tables of members, memories, events, evidence, vectors, jobs and token use.

This module also re-exports the tables of the other ``*_tables`` modules. Names in the database are
PascalCase. Lengths are UTF-16 units, and both databases refuse longer text. Text keys compare
exactly: SQL Server uses a binary collation, SQLite's default is one already.
"""

from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    UniqueConstraint,
    and_,
    event,
    or_,
    text,
)

from utils.database.schema.admin_tables import daily_count as daily_count
from utils.database.schema.admin_tables import erasure_ledger as erasure_ledger
from utils.database.schema.admin_tables import history_import as history_import
from utils.database.schema.admin_tables import read_policy_use as read_policy_use
from utils.database.schema.admin_tables import read_policy_version as read_policy_version
from utils.database.schema.admin_tables import shadow_recall as shadow_recall
from utils.database.schema.admin_tables import tombstone as tombstone
from utils.database.schema.attachments_tables import artifact as artifact
from utils.database.schema.attachments_tables import artifact_text as artifact_text
from utils.database.schema.base import Identity, Snowflake, filtered_index
from utils.database.schema.base import metadata as metadata
from utils.database.schema.column_types import (
    BoundedText,
    EnumText,
    KeyText,
    LongText,
    UtcDateTime,
    constant,
)
from utils.database.schema.episodes_tables import UNSUMMARISED as UNSUMMARISED
from utils.database.schema.episodes_tables import episode as episode
from utils.database.schema.episodes_tables import episode_member as episode_member
from utils.database.schema.episodes_tables import episode_summary as episode_summary
from utils.database.schema.episodes_tables import open_loop as open_loop
from utils.database.schema.evidence_tables import WAS_SENT as WAS_SENT
from utils.database.schema.evidence_tables import memory_context as memory_context
from utils.database.schema.evidence_tables import memory_evidence as memory_evidence
from utils.database.schema.guilds_tables import account_link as account_link
from utils.database.schema.guilds_tables import channel_mode as channel_mode
from utils.database.schema.guilds_tables import channel_purpose as channel_purpose
from utils.database.schema.guilds_tables import channel_state as channel_state
from utils.database.schema.guilds_tables import guild_settings as guild_settings
from utils.database.schema.guilds_tables import model_choice as model_choice
from utils.database.schema.guilds_tables import persona as persona
from utils.database.schema.guilds_tables import policy_version as policy_version
from utils.database.schema.guilds_tables import roast_refusal as roast_refusal
from utils.database.schema.guilds_tables import speaking_place as speaking_place
from utils.database.schema.provenance_tables import answer_removal as answer_removal
from utils.database.schema.provenance_tables import answer_source as answer_source
from utils.database.schema.provenance_tables import loop_source as loop_source
from utils.database.schema.provenance_tables import note_mark as note_mark
from utils.database.schema.provenance_tables import pending_answer as pending_answer
from utils.database.schema.sentiment_tables import alert as alert
from utils.database.schema.sentiment_tables import alert_message as alert_message
from utils.database.schema.sentiment_tables import message_score as message_score
from utils.database.schema.sentiment_tables import moderator_action as moderator_action
from utils.database.schema.sentiment_tables import passive_refusal as passive_refusal
from utils.database.schema.sentiment_tables import tension as tension
from utils.database.schema.sentiment_tables import waiting_message as waiting_message
from utils.database.schema.sentiment_tables import watch_settings as watch_settings
from utils.database.schema.sentiment_tables import watched_channel as watched_channel
from utils.database.schema.text_triggers import TEXT_TRIGGERS
from utils.models.llm import MODEL_LIMIT
from utils.models.memory import (
    EVENT_LIMIT,
    FROM_EXPORTS,
    MEMORY_LIMIT,
    NOT_CONVERSATION,
    TOPICS_LIMIT,
    Consent,
    EventState,
    Form,
    Kind,
    NotedMark,
    Role,
    Source,
    Status,
)

# A literal, so that both databases use the filtered index for queries with it.
WAITING = text("State IN ('pending', 'claimed')")
_TALK = text(" AND ".join(f"State <> '{state}'" for state in NOT_CONVERSATION))

NO_EPISODE = 0
"""EpisodeId of events in no episode: they are not part of the conversation, or are erased."""


def is_talk(state: ColumnElement[EventState]) -> ColumnElement[bool]:
    """Return the condition that an event is neither overheard nor from an export.

    The states are literals, so that both databases use the filtered index for such a query.
    """
    return and_(*(state != constant(excluded) for excluded in NOT_CONVERSATION))


def is_from_export(state: ColumnElement[EventState]) -> ColumnElement[bool]:
    """Return the condition that an event is from an export."""
    return or_(*(state == exported for exported in FROM_EXPORTS))


user_state = Table(
    "UserState",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("UserNotes", LongText, nullable=False),
    Column("NotesRowIds", LongText, nullable=False),
    Column("Consent", EnumText(Consent)),
    Column("PassiveOptIn", Boolean(create_constraint=False), nullable=False),
    Column("MemoryVersion", BigInteger, nullable=False),
    Column("LastSeenAt", UtcDateTime),
    Column("LeftAt", UtcDateTime),
    Column("ConsentAskedAt", UtcDateTime),
    Column("Ignored", Boolean(create_constraint=False), nullable=False),
    Column("TimeZone", KeyText(64)),  # the member's own choice
    Column("NeverFirst", Boolean(create_constraint=False), nullable=False, server_default="0"),
    # How many increments of MemoryVersion were for new memories and nothing else.
    Column("Additions", BigInteger, nullable=False, server_default="0"),
    Column("Noted", EnumText(NotedMark)),  # the member's own choice
    Column("NotFindable", Boolean(create_constraint=False), nullable=False, server_default="0"),
    PrimaryKeyConstraint("GuildId", "UserId"),
    Index("IX_UserState_User", "UserId"),
)

user_memory = Table(
    "UserMemory",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("Uid", KeyText(32), nullable=False),
    Column("GuildId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("Memory", BoundedText(MEMORY_LIMIT), nullable=False),
    Column("Topics", BoundedText(TOPICS_LIMIT), nullable=False),
    Column("Importance", SmallInteger, nullable=False),
    Column("Kind", EnumText(Kind), nullable=False),
    Column("FactKey", KeyText(100), nullable=False),
    Column("Source", EnumText(Source), nullable=False),
    Column("Status", EnumText(Status), nullable=False),
    Column("Confidence", Float, nullable=False),
    Column("EvidenceCount", Integer, nullable=False),
    Column("SearchStems", LongText, nullable=False),
    Column("CreatedAt", UtcDateTime, nullable=False),
    Column("ExpiresAt", UtcDateTime),
    Column("LastConfirmedAt", UtcDateTime, nullable=False),
    Column("LastUsedAt", UtcDateTime),
    Column("UseCount", Integer, nullable=False),
    Column("SupersededById", BigInteger),
    Column("Form", EnumText(Form), nullable=False, server_default=Form.NOTE.value),
    PrimaryKeyConstraint("Id", mssql_clustered=False),
    CheckConstraint("Importance BETWEEN 1 AND 3", name="Importance"),
    UniqueConstraint("Uid", mssql_clustered=False),
    Index("IX_UserMemory_Member", "GuildId", "UserId", "Id", unique=True, mssql_clustered=True),
    Index("IX_UserMemory_Newest", "GuildId", "Id"),
    filtered_index("IX_UserMemory_Names", "GuildId", "Id", where=text("FactKey = 'name'")),
    filtered_index("IX_UserMemory_Waiting", "GuildId", "Id", where=text("Status = 'proposed'")),
    filtered_index("IX_UserMemory_ExpiresAt", "ExpiresAt", where=text("ExpiresAt IS NOT NULL")),
    sqlite_autoincrement=True,
)

memory_event = Table(
    "MemoryEvent",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("SourceId", Snowflake, nullable=False),
    Column("MessageId", Snowflake, nullable=False),
    Column("Revision", BigInteger, nullable=False),
    Column("ReplyToId", Snowflake),
    Column("AuthorId", Snowflake, nullable=False),
    Column("AuthorName", BoundedText(100), nullable=False),
    Column("Role", EnumText(Role), nullable=False),
    Column("Text", BoundedText(EVENT_LIMIT), nullable=False),
    Column("Stems", LongText, nullable=False),
    Column("AboutIds", LongText, nullable=False, default=""),
    Column("EpisodeId", BigInteger),
    Column("State", EnumText(EventState), nullable=False),
    Column("Attempts", Integer, nullable=False),
    Column("CreatedAt", UtcDateTime, nullable=False),
    Column("ExpiresAt", UtcDateTime, nullable=False),
    Column("Receipt", KeyText(20)),  # why nothing was noted of it
    PrimaryKeyConstraint("Id"),
    UniqueConstraint("GuildId", "MessageId", "Revision"),
    Index("IX_MemoryEvent_Channel", "GuildId", "ChannelId", "CreatedAt", mssql_include=["State"]),
    filtered_index(
        "IX_MemoryEvent_Talk", "GuildId", "ChannelId", "Id", where=_TALK, mssql_include=["State"]
    ),
    Index("IX_MemoryEvent_Author", "GuildId", "AuthorId", "Id"),
    Index("IX_MemoryEvent_Said", "GuildId", "AuthorId", "MessageId"),
    Index("IX_MemoryEvent_ExpiresAt", "ExpiresAt"),
    filtered_index(
        "IX_MemoryEvent_ReplyTo", "GuildId", "ReplyToId", where=text("ReplyToId IS NOT NULL")
    ),
    filtered_index("IX_MemoryEvent_Pending", "State", "Id", where=WAITING),
    filtered_index(
        "IX_MemoryEvent_Undivided", "GuildId", "ChannelId", "Id", where=text("EpisodeId IS NULL")
    ),
    sqlite_autoincrement=True,
)

memory_audit = Table(
    "MemoryAudit",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("MemoryId", BigInteger),
    Column("At", UtcDateTime, nullable=False),
    Column("ActorId", Snowflake, nullable=False),
    Column("Action", KeyText(20), nullable=False),
    Column("Before", LongText),
    Column("After", LongText),
    PrimaryKeyConstraint("Id"),
    Index("IX_MemoryAudit_Member", "GuildId", "UserId", "Id"),
    Index("IX_MemoryAudit_Memory", "MemoryId"),
    Index("IX_MemoryAudit_Newest", "GuildId", "Id"),
    sqlite_autoincrement=True,
    implicit_returning=False,  # SQL Server refuses OUTPUT on a table with triggers (error 334)
)

# The audit is append-only; erasure blanks a row's texts and changes nothing else.
AUDIT_TRIGGERS = {
    "sqlite": (
        """\
CREATE TRIGGER TR_MemoryAudit_Kept BEFORE DELETE ON "MemoryAudit"
BEGIN
    SELECT RAISE(ABORT, 'MemoryAudit keeps its rows');
END""",
        """\
CREATE TRIGGER TR_MemoryAudit_OnlyBlanked BEFORE UPDATE ON "MemoryAudit"
WHEN NEW."Before" IS NOT NULL OR NEW."After" IS NOT NULL
    OR NEW."Id" <> OLD."Id" OR NEW."GuildId" <> OLD."GuildId" OR NEW."UserId" <> OLD."UserId"
    OR NEW."MemoryId" IS NOT OLD."MemoryId" OR NEW."At" <> OLD."At"
    OR NEW."ActorId" <> OLD."ActorId" OR NEW."Action" <> OLD."Action"
BEGIN
    SELECT RAISE(ABORT, 'MemoryAudit rows may only lose their words');
END""",
    ),
    "mssql": (
        """\
CREATE TRIGGER [TR_MemoryAudit_OnlyBlanked] ON [MemoryAudit] AFTER UPDATE, DELETE AS
BEGIN
    SET NOCOUNT ON;
    IF EXISTS (
        SELECT 1 FROM deleted AS old
        LEFT JOIN inserted AS new ON new.[Id] = old.[Id]
        WHERE new.[Id] IS NULL OR new.[Before] IS NOT NULL OR new.[After] IS NOT NULL
            OR EXISTS (
                SELECT new.[GuildId], new.[UserId], new.[MemoryId], new.[At], new.[ActorId],
                    new.[Action]
                EXCEPT
                SELECT old.[GuildId], old.[UserId], old.[MemoryId], old.[At], old.[ActorId],
                    old.[Action]
            )
    )
    BEGIN
        ROLLBACK TRANSACTION;
        THROW 51000, 'MemoryAudit rows stay and may only lose their words', 1;
    END
END""",
    ),
}


def _vectors(name: str, id_column: str, of: Table) -> Table:
    """Return a table of vectors for the texts of table ``of``; they are deleted with their texts.

    ``Id`` rises with every vector, so that a cache can load only those after its last one.
    """
    return Table(
        name,
        metadata,
        Column("Id", Identity, nullable=False, autoincrement=True),
        Column(
            id_column,
            Identity,
            ForeignKey(of.c.Id, name=f"FK_{name}_{id_column}", ondelete="CASCADE"),
            nullable=False,
        ),
        Column("GuildId", Snowflake, nullable=False),
        Column("UserId", Snowflake, nullable=False),
        Column("Model", KeyText(200), nullable=False),
        Column("Vector", LargeBinary, nullable=False),
        PrimaryKeyConstraint("Id"),
        UniqueConstraint(id_column),
        Index(f"IX_{name}_Member", "GuildId", "UserId", "Id"),
        sqlite_autoincrement=True,
    )


memory_embedding = _vectors("MemoryEmbedding", "MemoryId", user_memory)
event_embedding = _vectors("EventEmbedding", "EventId", memory_event)

for _table, _of_dialects in (
    (memory_audit, AUDIT_TRIGGERS),
    (event_embedding, TEXT_TRIGGERS),
):
    for _dialect, _statements in _of_dialects.items():
        for _text in _statements:
            _statement = DDL(_text).execute_if(dialect=_dialect)  # type: ignore[no-untyped-call]
            event.listen(_table, "after_create", _statement)

lease = Table(
    "Lease",
    metadata,
    Column("Name", KeyText(150), primary_key=True),
    Column("Owner", KeyText(64), nullable=False),
    Column("Fence", BigInteger, nullable=False),
    Column("Until", UtcDateTime, nullable=False),
)

job_run = Table(
    "JobRun",
    metadata,
    Column("Name", KeyText(50), primary_key=True),
    Column("SucceededAt", UtcDateTime, nullable=False),
    Column("Report", LongText, nullable=False),
)

heartbeat = Table(
    "Heartbeat",
    metadata,
    Column("Process", KeyText(100), primary_key=True),
    Column("At", UtcDateTime, nullable=False),
    Column("State", BoundedText(200), nullable=False),
)

token_use = Table(
    "TokenUse",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("Day", KeyText(10), nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("Purpose", KeyText(20), nullable=False),
    Column("Model", KeyText(MODEL_LIMIT), nullable=False, server_default=""),  # empty: not known
    Column("Calls", Integer, nullable=False),
    Column("PromptTokens", BigInteger, nullable=False),
    Column("CompletionTokens", BigInteger, nullable=False),
    PrimaryKeyConstraint("GuildId", "Day", "UserId", "Purpose", "Model"),
    # Covers the sums over all servers, which would read the whole table otherwise.
    Index(
        "IX_TokenUse_Day", "Day", "Purpose", "Model", "Calls", "PromptTokens", "CompletionTokens"
    ),
)

command_sync = Table(
    "CommandSync",
    metadata,
    Column("ApplicationId", Snowflake, primary_key=True, autoincrement=False),
    Column("PayloadHash", KeyText(64), nullable=False),
)
