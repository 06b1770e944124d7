"""Conditions that many queries share: rows of a member, and members in the order of their ids."""

from sqlalchemy import ColumnElement, FromClause, and_, or_

from utils.models.memory import Member


def of_member(table: FromClause, member: Member) -> ColumnElement[bool]:
    """Return the condition for a member's rows in a table with GuildId and UserId."""
    return and_(table.c.GuildId == member.guild_id, table.c.UserId == member.user_id)


def after_member(table: FromClause, member: Member) -> ColumnElement[bool]:
    """Return the condition for rows of members that come after one, by server id and user id."""
    return or_(
        table.c.GuildId > member.guild_id,
        and_(table.c.GuildId == member.guild_id, table.c.UserId > member.user_id),
    )
