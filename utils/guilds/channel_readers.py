"""Decides whether everyone who can read one channel can read another, by Discord's rules. Pure.

Kith does not know which roles a member has, so the rule holds for every set of roles that a person
may have. A set that reads one channel and not the other needs at most three roles, and with each
the base role it implies.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from utils.guilds.permission_rules import (
    ADMINISTRATOR,
    ALWAYS,
    PERMISSIONS,
    READING,
    VIEW,
    ChannelRules,
    PermissionRule,
    ServerChannel,
    ServerRole,
    set_that_meets,
)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why not everyone who reads one channel can read another.

    Attributes:
        permission: what is missing: VIEW, HISTORY or CONNECT; 0 where the age restriction decides.
        role_ids: the roles of a member who lacks it; empty for members without any role.
        user_id: the person who lacks it, if it is one whom an overwrite names.
    """

    permission: int
    role_ids: tuple[int, ...] = ()
    user_id: int | None = None


MemberRoles = Mapping[int, frozenset[int] | None]
"""The roles of people whom overwrites name; None: no reader (a bot). People who are missing may
have any roles."""


class ServerReaders:
    """Answers for one server which channels may be sources of an answer in which.

    Args:
        owner_id: reads everything, and is never the reason to keep a channel to itself.
        everyone: the role of all members.
        bot_ids: members whose overwrites do not count, such as Kith itself.
        base_role_id: the role that everybody has who has one of ``implied_role_ids``.
    """

    def __init__(
        self,
        owner_id: int,
        everyone: ServerRole,
        roles: Iterable[ServerRole],
        channels: Iterable[ServerChannel],
        *,
        bot_ids: Iterable[int] = (),
        base_role_id: int | None = None,
        implied_role_ids: Iterable[int] = (),
    ) -> None:
        self._ignored_ids = frozenset({owner_id, *bot_ids})
        self._everyone = everyone
        self._bits = {}
        self._admins = people = 0
        giving = dict.fromkeys(PERMISSIONS, 0)
        for index, role in enumerate(role for role in roles if role.role_id != everyone.role_id):
            bit = self._bits[role.role_id] = 1 << index
            if role.is_bot:
                continue
            if role.permissions & ADMINISTRATOR:
                self._admins |= bit
            else:
                people |= bit
            for permission in giving:
                if role.permissions & permission:
                    giving[permission] |= bit
        self._giving = giving
        base = 0 if base_role_id is None else self._bits.get(base_role_id, 0)
        self._base = base & (people | self._admins)
        self._base_is_missing = base_role_id is not None and not base & people
        self._implied = people & self.mask(implied_role_ids) if self._base else 0
        self._people = people & ~self._implied if self._base & self._admins else people
        self._is_open = bool(everyone.permissions & ADMINISTRATOR)
        self._completed: dict[PermissionRule, PermissionRule] = {}
        rules: dict[PermissionRule, PermissionRule] = {}  # equal ones are one, to compare faster
        self._rules: dict[int, ChannelRules] = {}
        self._age_restricted: set[int] = set()
        for channel in channels:
            self._rules[channel.channel_id] = self._channel_rules(channel, rules)
            if channel.is_age_restricted:
                self._age_restricted.add(channel.channel_id)
        self._gaps: dict[tuple[PermissionRule, ...], dict[PermissionRule, int | None]] = {}
        self._open_to: dict[tuple[object, ...], tuple[int, ...]] = {}

    def mask(self, role_ids: Iterable[int]) -> int:
        """Return a set of roles as bits; roles that do not exist any more are left out."""
        bits = 0
        for role_id in role_ids:
            bits |= self._bits.get(role_id, 0)
        return bits

    def _channel_rules(
        self, channel: ServerChannel, rules: dict[PermissionRule, PermissionRule]
    ) -> ChannelRules:
        allowed, denied = [0, 0, 0], [0, 0, 0]
        allow_all = deny_all = 0
        members: dict[int, tuple[int, int]] = {}
        everyone_id, bits = self._everyone.role_id, self._bits
        for target_id, is_member, allow, deny in channel.overwrites:
            if not (allow | deny) & READING:
                continue
            if is_member:
                if target_id not in self._ignored_ids:
                    members[target_id] = (allow, deny)
            elif target_id == everyone_id:
                allow_all, deny_all = allow, deny
            elif target_id in bits:
                bit = bits[target_id]
                for index, permission in enumerate(PERMISSIONS):
                    if allow & permission:
                        allowed[index] |= bit
                    elif deny & permission:
                        denied[index] |= bit
        read_by = []
        for index, permission in enumerate(PERMISSIONS[: 3 if channel.is_vocal else 2]):
            by_default = not deny_all & permission and bool(self._everyone.permissions & permission)
            givers = 0 if by_default or deny_all & permission else self._giving[permission]
            if allow_all & permission:
                by_default, givers = True, 0
            rule = PermissionRule(allowed[index], denied[index], by_default, givers)
            read_by.append(rules.setdefault(rule, rule))
        return ChannelRules.of(tuple(read_by), members)

    # --- asking --------------------------------------------------------------------------------

    def __contains__(self, channel_id: int) -> bool:
        return channel_id in self._rules

    @property
    def all_named_members(self) -> frozenset[int]:
        """The people whom an overwrite of any channel names."""
        return frozenset(user_id for rules in self._rules.values() for user_id in rules.members)

    def sources(self, channel_id: int, roles: MemberRoles) -> frozenset[int]:
        """Return the channels that everyone who sees an answer in this channel can read.

        An unknown channel has none. The channel itself is missing where a reader may lack the
        permission to read its history.
        """
        answer = self._rules.get(channel_id)
        if answer is None:
            return frozenset()
        candidates = self._candidates(channel_id, answer)
        if self._is_open:
            return frozenset(candidates)
        return frozenset(
            source_id
            for source_id in candidates
            if not self._excluded(answer, self._rules[source_id], roles)
        )

    def named_members(self, channel_id: int) -> frozenset[int]:
        """Return the people whose roles decide which sources an answer in this channel has."""
        answer = self._rules.get(channel_id)
        if answer is None or self._is_open:
            return frozenset()
        named = set(answer.members)
        for source_id in self._candidates(channel_id, answer):
            named.update(self._rules[source_id].members)
        return frozenset(named)

    def undecided_members(self, channel_id: int, roles: MemberRoles) -> frozenset[int]:
        """Return the people whose unknown roles keep a source from an answer in this channel."""
        answer = self._rules.get(channel_id)
        if answer is None or self._is_open:
            return frozenset()
        return frozenset(
            user_id
            for source_id in self._candidates(channel_id, answer)
            for user_id in {**answer.members, **self._rules[source_id].members}
            if user_id not in roles and self._may_exclude(user_id, answer, self._rules[source_id])
        )

    def undecided_anywhere(self, channel_ids: Iterable[int], roles: MemberRoles) -> list[int]:
        """Return the people whose unknown roles decide about one of these channels."""
        undecided: dict[int, None] = {}
        for channel_id in channel_ids:
            undecided.update(dict.fromkeys(sorted(self.undecided_members(channel_id, roles))))
        return list(undecided)

    def open_channels(self, roles: MemberRoles) -> frozenset[int]:
        """Return the channels that everyone can read who has the base role, or is in the server.

        None is open if the base role does not exist any more.
        """
        if self._base_is_missing:
            return frozenset()
        return frozenset(
            channel_id
            for channel_id, rules in self._rules.items()
            if self._obstacle(self._everybody(), rules, roles) is None
        )

    def obstacle(self, channel_id: int, source_id: int, roles: MemberRoles) -> Obstacle | None:
        """Return why an answer in one channel may not use the other; None if it may.

        Raises KeyError for an unknown channel.
        """
        answer, source = self._rules[channel_id], self._rules[source_id]
        if source_id in self._age_restricted and channel_id not in self._age_restricted:
            return Obstacle(0)
        return self._obstacle(answer, source, roles)

    def open_obstacle(self, channel_id: int, roles: MemberRoles) -> Obstacle | None:
        """Return why not everyone can read a channel who has the base role; None if they can."""
        return self._obstacle(self._everybody(), self._rules[channel_id], roles)

    def is_age_restricted(self, channel_id: int) -> bool:
        """Return whether a channel, or the server, is age-restricted."""
        return channel_id in self._age_restricted

    # --- deciding ------------------------------------------------------------------------------

    def _everybody(self) -> ChannelRules:
        """Return the rules of a channel that everyone sees who has the base role."""
        view = PermissionRule(self._base, 0, False, 0) if self._base else ALWAYS
        return ChannelRules.of((view, ALWAYS), {})

    def _obstacle(
        self, answer: ChannelRules, source: ChannelRules, roles: MemberRoles
    ) -> Obstacle | None:
        if self._is_open:
            return None
        for rule, permission in zip(source.read_by, PERMISSIONS, strict=False):
            gap = self._gap(answer.seen_by, rule)
            if gap is not None:
                return Obstacle(
                    permission, tuple(role_id for role_id, bit in self._bits.items() if bit & gap)
                )
        user_id = self._excluded(answer, source, roles)
        if not user_id:
            return None
        has = self.mask(roles.get(user_id) or ())
        read_by = zip(source.of_member(user_id).read_by, PERMISSIONS, strict=False)
        lacks = (permission for rule, permission in read_by if not rule.holds(has))
        return Obstacle(next(lacks, VIEW), user_id=user_id)

    def _candidates(self, channel_id: int, answer: ChannelRules) -> tuple[int, ...]:
        """Return the sources for an answer as far as roles and the age restriction decide."""
        is_age_restricted = channel_id in self._age_restricted
        key = (*answer.seen_by, is_age_restricted)
        if key not in self._open_to:
            hidden = set[int]() if is_age_restricted else self._age_restricted
            self._open_to[key] = tuple(
                source_id
                for source_id, source in self._rules.items()
                if source_id not in hidden and self._is_open_to(answer.seen_by, source.read_by)
            )
        return self._open_to[key]

    def _is_open_to(
        self, seen_by: tuple[PermissionRule, ...], read_by: tuple[PermissionRule, ...]
    ) -> bool:
        """Return whether every set of roles that sees one channel can read another."""
        if self._is_open:
            return True
        for rule in read_by:  # noqa: SIM110 - a generator costs a third more, 500 times
            if self._gap(seen_by, rule) is not None:
                return False
        return True

    def _gap(self, seen_by: tuple[PermissionRule, ...], rule: PermissionRule) -> int | None:
        """Return a set of roles that sees the answer and lacks a permission; None without one."""
        gaps = self._gaps.setdefault(seen_by, {})
        if rule not in gaps:
            required = [self._complete(needed) for needed in seen_by]
            gaps[rule] = self._without(required, self._complete(rule))
        return gaps[rule]

    def _without(self, required: Sequence[PermissionRule], rule: PermissionRule) -> int | None:
        """Return a set of roles that meets all required rules and not the other."""
        usable = self._people & ~rule.allow
        if not rule.by_default:
            met = set_that_meets(required, usable & ~rule.givers)
            if met is not None:
                return met
        deniers = usable & rule.deny
        return set_that_meets(required, usable, deniers) if deniers else None

    def _complete(self, rule: PermissionRule) -> PermissionRule:
        """Return a rule in which each implied role stands for itself and the base role."""
        if not self._implied:
            return rule
        if rule not in self._completed:
            allow, deny, by_default, givers = rule
            if allow & self._base:
                allow |= self._implied
            if deny & self._base:
                deny |= self._implied
            if givers & self._base:
                givers |= self._implied
            self._completed[rule] = PermissionRule(allow, deny & ~allow, by_default, givers)
        return self._completed[rule]

    def _excluded(self, answer: ChannelRules, source: ChannelRules, roles: MemberRoles) -> int:
        """Return a person named by an overwrite who sees the answer, not the source; or 0."""
        if not answer.members and not source.members:
            return 0
        for user_id in {**answer.members, **source.members}:
            if user_id not in roles:
                if self._may_exclude(user_id, answer, source):
                    return user_id
                continue
            role_ids = roles[user_id]
            if role_ids is None or (has := self.mask(role_ids)) & self._admins:
                continue
            sees = all(rule.holds(has) for rule in answer.of_member(user_id).seen_by)
            if sees and not all(rule.holds(has) for rule in source.of_member(user_id).read_by):
                return user_id
        return 0

    def _may_exclude(self, user_id: int, answer: ChannelRules, source: ChannelRules) -> bool:
        """Return whether a person sees the answer and not the source with some set of roles."""
        seen_by = answer.of_member(user_id).seen_by
        return not self._is_open_to(seen_by, source.of_member(user_id).read_by)
