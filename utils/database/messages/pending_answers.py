"""Questions whose answers are under way, and those whose answer was broken off."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, delete, not_, or_, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import change_rows, from_row, insert_new
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import memory_event, pending_answer
from utils.models.conversation import PendingAnswer, QuestionRef

_COLUMNS, _EVENT = pending_answer.c, memory_event.c

MAX_AHEAD = timedelta(minutes=10)  # a later time was written by a clock that was wrong


def begin(
    connection: Connection,
    question: QuestionRef,
    channel_id: int,
    *,
    asked_at: datetime,
    due_at: datetime,
) -> None:
    """Record that a question is being answered; unless that is put off, it is due again then."""
    row = {
        "GuildId": question.guild_id,
        "ChannelId": channel_id,
        "MessageId": question.message_id,
        "Attempts": 0,
        "AskedAt": asked_at,
        "DueAt": due_at,
    }
    insert_new(connection, pending_answer, [row])


# Built once: building costs more than running.
_IS_QUESTION = and_(
    _COLUMNS.GuildId == bindparam("guild_id"), _COLUMNS.MessageId == bindparam("message_id")
)
_CHANGE = update(pending_answer).where(_IS_QUESTION)
_FINISH = delete(pending_answer).where(_IS_QUESTION)


def set_parts(connection: Connection, question: QuestionRef, part_ids: tuple[int, ...]) -> None:
    """Record which messages of the answer were sent."""
    change_rows(connection, _CHANGE, _parameters(question, PartIds=part_ids))


def put_off(connection: Connection, questions: Collection[QuestionRef], due_at: datetime) -> None:
    """Set when questions are due again."""
    for question in questions:
        change_rows(connection, _CHANGE, _parameters(question, DueAt=due_at))


def finish(connection: Connection, questions: Collection[QuestionRef]) -> None:
    """Remove questions: they are answered, or will not be."""
    for question in questions:
        change_rows(connection, _FINISH, _parameters(question))


def load_due(connection: Connection, now: datetime, limit: int) -> list[PendingAnswer]:
    """Return the newest questions whose answer was broken off, the newest first."""
    return _load(connection, _is_due(now), limit)


def load_kept(
    connection: Connection, channel_ids: Collection[int], now: datetime, limit: int
) -> list[PendingAnswer]:
    """Return the newest questions in channels that some process is answering."""
    where = and_(_COLUMNS.ChannelId.in_(channel_ids), not_(_is_due(now)))
    return _load(connection, where, limit)


def _load(connection: Connection, where: ColumnElement[bool], limit: int) -> list[PendingAnswer]:
    author_id = (
        select(_EVENT.AuthorId)
        .where(
            _EVENT.GuildId == _COLUMNS.GuildId,
            _EVENT.MessageId == _COLUMNS.MessageId,
            is_not_empty(_EVENT.Text),
        )
        .limit(1)
        .correlate(pending_answer)
        .scalar_subquery()
    )
    rows = connection.execute(
        select(pending_answer, author_id.label("AuthorId"))
        .where(where)
        .order_by(_COLUMNS.AskedAt.desc(), _COLUMNS.Id.desc())
        .limit(limit)
    )
    return [
        from_row(PendingAnswer, row, question=QuestionRef(row.GuildId, row.MessageId))
        for row in rows
    ]


def claim(connection: Connection, pending: PendingAnswer, now: datetime, due_at: datetime) -> bool:
    """Take over a question that is due; returns False if another process did."""
    take = _CHANGE.where(_is_due(now)).values(Attempts=_COLUMNS.Attempts + 1)
    return connection.execute(take, _parameters(pending.question, DueAt=due_at)).rowcount > 0


def _is_due(now: datetime) -> ColumnElement[bool]:
    return or_(_COLUMNS.DueAt <= now, _COLUMNS.DueAt > now + MAX_AHEAD)


def _parameters(question: QuestionRef, **values: Any) -> dict[str, Any]:
    return {"guild_id": question.guild_id, "message_id": question.message_id, **values}
