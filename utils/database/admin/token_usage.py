"""Token use per server, day (UTC), member, purpose and model."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import bindparam, case, func, select

from utils.common.text import clip
from utils.database.core.engine import Connection
from utils.database.core.queries import fetch_rows, member_parameters, upsert
from utils.database.schema.memory_tables import token_use
from utils.models.llm import MODEL_LIMIT, Usage
from utils.models.memory import Member


@dataclass(frozen=True, slots=True)
class DailyTokenUse:
    """The tokens that a model used for one purpose on a day; "": a model that is not known."""

    day: date
    purpose: str
    calls: int
    usage: Usage
    model: str = ""


# Built once: building costs more than running.
_TOKENS = token_use.c.PromptTokens + token_use.c.CompletionTokens
_IS_BY_MEMBER = token_use.c.UserId == bindparam("user_id")
_SPENT = (
    select(
        token_use.c.Purpose,
        func.sum(_TOKENS),
        func.sum(case((_IS_BY_MEMBER, _TOKENS), else_=0)),
    )
    .where(token_use.c.GuildId == bindparam("guild_id"), token_use.c.Day == bindparam("day"))
    .group_by(token_use.c.Purpose)
)


def spent(connection: Connection, member: Member, day: date) -> dict[str, tuple[int, int]]:
    """Return by purpose the tokens used on a day in a member's server, and by the member."""
    parameters = member_parameters(member, day=day.isoformat())
    return {
        purpose: (int(in_server), int(by_member))
        for purpose, in_server, by_member in fetch_rows(connection, _SPENT, **parameters)
    }


def add_use(
    connection: Connection,
    guild_id: int,
    day: date,
    user_id: int,
    purpose: str,
    usage: Usage,
    calls: int = 1,
    model: str = "",
) -> None:
    """Add the tokens of calls to a model; ``user_id`` 0: no member asked for it."""
    upsert(
        connection,
        token_use,
        {
            "GuildId": guild_id,
            "Day": day.isoformat(),
            "UserId": user_id,
            "Purpose": purpose,
            "Model": clip(model, MODEL_LIMIT).strip(),
        },
        {
            "Calls": calls,
            "PromptTokens": usage.prompt_tokens,
            "CompletionTokens": usage.completion_tokens,
        },
        adds=True,
    )


def by_day(connection: Connection, guild_id: int | None, since: date) -> list[DailyTokenUse]:
    """Return the tokens used since a day by day, purpose and model, oldest first.

    ``guild_id`` None: in all servers.
    """
    columns = token_use.c
    in_server = () if guild_id is None else (columns.GuildId == guild_id,)
    rows = connection.execute(
        select(
            columns.Day,
            columns.Purpose,
            columns.Model,
            func.sum(columns.Calls).label("Calls"),
            func.sum(columns.PromptTokens).label("PromptTokens"),
            func.sum(columns.CompletionTokens).label("CompletionTokens"),
        )
        .where(*in_server, columns.Day >= since.isoformat())
        .group_by(columns.Day, columns.Purpose, columns.Model)
        .order_by(columns.Day, columns.Purpose, columns.Model)
    )
    return [
        DailyTokenUse(
            date.fromisoformat(row.Day),
            row.Purpose,
            row.Calls,
            Usage(row.PromptTokens, row.CompletionTokens),
            row.Model,
        )
        for row in rows
    ]
