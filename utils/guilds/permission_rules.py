"""Which sets of roles have a permission in a channel, by Discord's rules. Pure.

A set of roles is an integer with one bit for each role. Discord decides each permission on its own:
a role's overwrite that allows it wins, then one that denies it, then the overwrite of @everyone,
then the permissions of the roles themselves.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

VIEW, HISTORY, CONNECT, ADMINISTRATOR = 1 << 10, 1 << 16, 1 << 20, 1 << 3
PERMISSIONS = (VIEW, HISTORY, CONNECT)
READING = VIEW | HISTORY | CONNECT


class ChannelOverwrite(NamedTuple):
    """A permission overwrite of a channel; plain tuples serve too, and are made faster."""

    target_id: int
    is_member: bool
    allow: int
    deny: int


class ServerRole(NamedTuple):
    """A role; ``is_bot``: Discord made it for one bot, so that no person has it."""

    role_id: int
    permissions: int
    is_bot: bool = False


class ServerChannel(NamedTuple):
    """A channel with messages; threads follow it. ``is_vocal``: a voice or stage channel."""

    channel_id: int
    overwrites: Sequence[ChannelOverwrite | tuple[int, bool, int, int]]
    is_vocal: bool = False
    is_age_restricted: bool = False


class PermissionRule(NamedTuple):
    """Which sets of roles have one permission in one channel.

    Attributes:
        allow: the roles whose overwrite allows it.
        deny: the roles whose overwrite denies it and does not allow it.
        by_default: members without any of these have it.
        givers: the roles that give it where ``by_default`` is False.
    """

    allow: int
    deny: int
    by_default: bool
    givers: int

    def holds(self, roles: int) -> bool:
        """Return whether a member with exactly these roles has the permission."""
        if roles & self.allow:
            return True
        return not roles & self.deny and (self.by_default or bool(roles & self.givers))


ALWAYS, NEVER = PermissionRule(0, 0, True, 0), PermissionRule(0, 0, False, 0)


class ChannelRules(NamedTuple):
    """Who can read a channel.

    Attributes:
        read_by: what a person needs in order to read old messages: to view the channel, its
            history and, in voice and stage channels, to connect.
        seen_by: what a person needs in order to see a new message: the same without the history.
        members: the overwrites of people, each with what it allows and denies.
    """

    read_by: tuple[PermissionRule, ...]
    seen_by: tuple[PermissionRule, ...]
    members: Mapping[int, tuple[int, int]]

    @classmethod
    def of(
        cls, read_by: tuple[PermissionRule, ...], members: Mapping[int, tuple[int, int]]
    ) -> "ChannelRules":
        """Return the rules of a channel from those in ``read_by``."""
        return cls(read_by, (read_by[0], *read_by[2:]), members)

    def of_member(self, user_id: int) -> "ChannelRules":
        """Return the rules as they are for one person, whose overwrite comes last."""
        allow, deny = self.members.get(user_id, (0, 0))
        if not (allow | deny) & READING:
            return self
        rules = zip(self.read_by, PERMISSIONS, strict=False)
        read_by = tuple(
            ALWAYS if allow & bit else NEVER if deny & bit else rule for rule, bit in rules
        )
        return ChannelRules.of(read_by, {})


def set_that_meets(
    required: Sequence[PermissionRule], usable: int, including: int = 0
) -> int | None:
    """Return the smallest set of usable roles found that meets all rules; None without one.

    Each rule is met by a role whose overwrite allows it, or by default, and then no role of the
    set may deny it. ``including``: one of these roles has to be in the set, if any are given.
    """
    for by_role in product((False, True), repeat=len(required)):
        remaining = usable
        for rule, is_by_role in zip(required, by_role, strict=True):
            if not is_by_role:
                remaining &= ~rule.deny
        chosen = remaining & including
        if including and not chosen:
            continue
        chosen &= -chosen
        for rule, is_by_role in zip(required, by_role, strict=True):
            if not is_by_role and rule.by_default:
                continue
            fitting = remaining & (rule.allow if is_by_role else rule.givers)
            if not fitting:
                break
            if not chosen & fitting:
                chosen |= fitting & -fitting
        else:
            return chosen
    return None
