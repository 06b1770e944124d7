"""The fake Discord's servers as the oracle takes them; permissions are left to the oracle."""

from tests.fakes.discord import things
from tests.oracles.permissions import Channel, Kind, Overwrite, Person, Role, Server


def server_of(
    guild: things.Guild,
    base_role_id: int | None = None,
    implied_role_ids: frozenset[int] = frozenset(),
) -> Server:
    """Return a server as it is now, with what moderators said of its base role.

    Nothing follows from a base role that was deleted.
    """
    server = Server(
        id=guild.id,
        everyone=guild.everyone.permissions,
        owner_id=guild.owner_id,
        base_role_id=base_role_id if base_role_id in guild.roles else None,
        implied_role_ids=implied_role_ids,
        age_restricted=guild.age_restricted,
    )
    for role in guild.roles.values():
        if role.id != guild.id:
            server.roles[role.id] = Role(role.id, role.permissions, role.bot_id is not None)
    for member in guild.members.values():
        role_ids = frozenset(member.role_ids & guild.roles.keys())
        server.people[member.id] = Person(member.id, role_ids, member.user.bot)
    for channel in sorted(guild.channels.values(), key=lambda channel: channel.is_thread):
        server.channels[channel.id] = _channel(channel, server)
    return server


def _channel(of: things.Channel, server: Server) -> Channel:
    return Channel(
        id=of.id,
        kind=Kind(of.type),
        overwrites={o.id: Overwrite(o.allow, o.deny) for o in of.overwrites.values()},
        parent=server.channels[of.parent.id] if of.is_thread and of.parent is not None else None,
        members=set(of.member_ids),
        age_restricted=of.nsfw,
    )
