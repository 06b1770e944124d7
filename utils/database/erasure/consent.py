"""A member's own choices, across all tables that store them."""

from sqlalchemy import select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import of_member
from utils.database.guilds import personas
from utils.database.memories import members
from utils.database.schema.memory_tables import user_state
from utils.database.sentiment import watched_channels
from utils.models.memory import Member
from utils.models.transfer import MemberChoices


def load_choices(connection: Connection, member: Member) -> MemberChoices:
    """Return everything that the member chose; the defaults for an unknown member."""
    row = connection.execute(
        select(
            user_state.c.Consent,
            user_state.c.PassiveOptIn,
            user_state.c.TimeZone,
            user_state.c.NeverFirst,
        ).where(of_member(user_state, member))
    ).one_or_none()
    refuses = personas.any_refuses_roasts(connection, member.guild_id, [member.user_id])
    opt_out = watched_channels.has_opted_out(connection, member)
    if row is None:
        return MemberChoices(refuses_roasts=refuses, passive_opt_out=opt_out)
    return MemberChoices(row.Consent, row.PassiveOptIn, refuses, opt_out, *row[2:])


def set_passive(connection: Connection, member: Member, *, opt_in: bool) -> None:
    """Store whether messages to others may teach something; the caller holds the member's lock.

    A refusal also locks the server's row, which notes of members without a row hold instead.
    """
    if not opt_in:
        members.invalidate_guild(connection, member.guild_id)
    connection.execute(
        update(user_state).where(of_member(user_state, member)).values(PassiveOptIn=opt_in)
    )
    watched_channels.set_opt_out(connection, member, opt_out=not opt_in)
