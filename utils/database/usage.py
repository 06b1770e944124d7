"""Tokens spent, a row for each server, day (UTC), member and purpose."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import func, select

from utils.database.engine import Session
from utils.database.tables import token_use
from utils.database.upsert import upsert
from utils.model.llm import Usage


@dataclass(frozen=True, slots=True)
class DayUse:
    """What a server spent on one purpose in a day."""

    day: date
    purpose: str
    calls: int
    usage: Usage


def spent(session: Session, guild_id: int, day: date, user_id: int | None = None) -> int:
    """Return the tokens of a server's day, or of one member's share of it."""
    columns = token_use.c
    statement = select(
        func.coalesce(func.sum(columns.PromptTokens + columns.CompletionTokens), 0)
    ).where(columns.GuildId == guild_id, columns.Day == day.isoformat())
    if user_id is not None:
        statement = statement.where(columns.UserId == user_id)
    return int(session.execute(statement).scalar_one())


def add_use(
    session: Session,
    guild_id: int,
    day: date,
    user_id: int,
    purpose: str,
    usage: Usage,
    calls: int = 1,
) -> None:
    """Count a call, or several together; ``user_id`` is 0 for what nobody asked for."""
    columns = token_use.c
    upsert(
        session,
        token_use,
        {"GuildId": guild_id, "Day": day.isoformat(), "UserId": user_id, "Purpose": purpose},
        {
            "Calls": calls,
            "PromptTokens": usage.prompt_tokens,
            "CompletionTokens": usage.completion_tokens,
        },
        on_update={
            "Calls": columns.Calls + calls,
            "PromptTokens": columns.PromptTokens + usage.prompt_tokens,
            "CompletionTokens": columns.CompletionTokens + usage.completion_tokens,
        },
    )


def by_day(session: Session, guild_id: int | None, since: date) -> list[DayUse]:
    """Return what a server, or (None) all of them, spent for each day from ``since`` on and each
    purpose, oldest first."""
    columns = token_use.c
    of_one = () if guild_id is None else (columns.GuildId == guild_id,)
    rows = session.execute(
        select(
            columns.Day,
            columns.Purpose,
            func.sum(columns.Calls).label("Calls"),
            func.sum(columns.PromptTokens).label("PromptTokens"),
            func.sum(columns.CompletionTokens).label("CompletionTokens"),
        )
        .where(*of_one, columns.Day >= since.isoformat())
        .group_by(columns.Day, columns.Purpose)
        .order_by(columns.Day, columns.Purpose)
    )
    return [
        DayUse(
            date.fromisoformat(row.Day),
            row.Purpose,
            row.Calls,
            Usage(row.PromptTokens, row.CompletionTokens),
        )
        for row in rows
    ]
