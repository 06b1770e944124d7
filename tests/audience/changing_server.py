"""A server of the fake Discord in which anything about who reads what may change at random."""

import random
from collections.abc import Callable
from itertools import count

from tests.fakes.discord import Channel, FakeDiscord, Guild, Member, perms
from tests.fakes.discord.things import CATEGORY, FORUM, NEWS, STAGE, TEXT, VOICE, WITHOUT_CHAT

VIEW, HISTORY, CONNECT = perms("view_channel"), perms("read_message_history"), perms("connect")
THREADS, ADMINISTRATOR = perms("manage_threads"), perms("administrator")
BITS = (VIEW, VIEW, HISTORY, CONNECT, THREADS)
KINDS = (TEXT, TEXT, TEXT, VOICE, STAGE, FORUM, NEWS)
GUESTS = ("Bob", "Cleo", "Nina")
MAX_CHATS, MIN_CHATS = 22, 14


class ChangingServer:
    """A server with six roles, seven people, a bot besides Kith, and channels of every kind.

    ``base_role_id`` and ``implied_role_ids`` are what moderators say; people keep to it.
    """

    def __init__(self, fake: FakeDiscord, guild: Guild, dice: random.Random) -> None:
        self.fake, self.guild, self._dice = fake, guild, dice
        self._numbers = count(1)
        add_role, add = guild.add_role, guild.add_member
        verified = add_role("Verified", VIEW | HISTORY)
        crew, staff = add_role("Crew"), add_role("Staff", THREADS)
        quarantine, booster, rank = (add_role(name) for name in ("Quarantine", "Booster", "Rank"))
        booster.managed = booster.is_booster = True
        fake.world.announce("GUILD_ROLE_UPDATE", booster)
        self.base_role_id: int | None = verified.id
        self.implied_role_ids: frozenset[int] = frozenset([staff.id])
        self.roles = [verified, crew, staff, quarantine, booster, rank]
        self.alice = add("Alice", roles=[verified, crew])
        self.second = add("Alice again", roles=[verified])
        self.people = [
            self.alice,
            self.second,
            add("Bob"),
            add("Cleo", roles=[verified]),
            add("Stan", roles=[verified, staff]),
            add("Nina", roles=[quarantine]),
            guild.owner,
        ]
        self._away: list[Member] = []
        self.music = guild.add_bot("Music", VIEW | HISTORY)
        self.categories = [guild.add_channel(f"category-{n}", CATEGORY) for n in range(3)]
        while len(self.chats()) < MIN_CHATS:
            self.add_channel()

    # --- what there is -------------------------------------------------------------------------

    def homes(self) -> list[Channel]:
        """Return the channels that have overwrites of their own, without the categories."""
        channels = self.guild.channels.values()
        return [c for c in channels if not c.is_thread and c.type != CATEGORY]

    def chats(self) -> list[Channel]:
        """Return the channels and threads in which messages are written."""
        return [c for c in self.guild.channels.values() if c.type not in WITHOUT_CHAT]

    # --- what changes --------------------------------------------------------------------------

    def change(self) -> tuple[str, str]:
        """Change one thing; returns its kind and what it was."""
        changes: list[tuple[int, Callable[[], str]]] = [
            (8, self.set_overwrite),
            (5, self.make_private),
            (5, self.clear_overwrites),
            (2, self.change_role),
            (1, self.replace_role),
            (2, self.move_channel),
            (3, self.change_member),
            (1, self.leave_or_return),
            (2, self.change_thread),
            (1, self.restrict_age),
            (3, self.change_base_role),
            (1, self.restrict_server),
            (2, self.add_or_remove_channel),
        ]
        weights = [weight for weight, _ in changes]
        chosen = self._dice.choices([change for _, change in changes], weights)[0]
        return chosen.__name__.replace("_", " "), chosen()

    def set_overwrite(self) -> str:
        """Allow or deny somebody something in a channel or a category."""
        channel = self._dice.choice([*self.homes(), *self.categories])
        everybody = [self.guild.everyone, *self.roles]
        others = [self.guild.bot_role, *self.people, self.music]
        target = self._dice.choice([*others, *everybody * 3])
        before = channel.overwrites.get(target.id)
        allow, deny = (0, 0) if before is None else (before.allow, before.deny)
        bit = self._dice.choice(BITS)
        is_allowed = self._dice.random() < 0.6
        if is_allowed:
            channel.overwrite(target, allow=allow | bit, deny=deny & ~bit)
        else:
            channel.overwrite(target, allow=allow & ~bit, deny=deny | bit)
        return f"{is_allowed=} {bit} to {target.name} in {channel.label}"

    def make_private(self) -> str:
        """Close a channel to all but Kith and a few roles, people or bots."""
        channel = self._dice.choice([*self.homes(), *self.categories])
        bit = self._dice.choice((VIEW, VIEW, CONNECT, HISTORY))
        chosen = self._dice.sample([*self.roles, *self.people, self.music], 2)
        base_role = self.guild.roles.get(self.base_role_id or 0)
        if base_role is not None and self._dice.random() < 0.5:
            chosen[0] = base_role
        named = [self.guild.bot_role, *chosen, *(self.music.roles if self.music in chosen else ())]
        channel.overwrite(self.guild.everyone, deny=bit)
        for target in named:
            channel.overwrite(target, allow=bit)
        return f"{channel.label} closed by {bit} to all but {[target.name for target in named]}"

    def clear_overwrites(self) -> str:
        """Remove all overwrites of a channel or a category."""
        channel = self._dice.choice([*self.homes(), *self.categories])
        for target_id in list(channel.overwrites):
            target = self.guild.roles.get(target_id) or self.fake.world.users.get(target_id)
            if target is not None:  # else of a role that was deleted: it counts for nobody
                channel.overwrite(target)
        return f"no overwrites in {channel.label}"

    def change_role(self) -> str:
        """Give a role a permission in the server, or take it; mostly everybody may read."""
        everyone = self.guild.everyone
        role = self._dice.choice([everyone, *self.roles])
        bit = self._dice.choice(BITS if role is everyone else (*BITS, ADMINISTRATOR))
        role.permissions ^= bit
        if self._dice.random() < 0.7:
            role.permissions &= ~ADMINISTRATOR
            if role is everyone:
                role.permissions |= VIEW | HISTORY | CONNECT
        self.fake.world.announce("GUILD_ROLE_UPDATE", role)
        return f"{role.name} has {role.permissions}"

    def replace_role(self) -> str:
        """Delete a role, be it the base role, and make one without permissions and overwrites."""
        gone = self._dice.choice([role for role in self.roles if not role.managed])
        del self.guild.roles[gone.id]
        for member in self.guild.members.values():
            member.role_ids.discard(gone.id)
        self.fake.world.announce("GUILD_ROLE_DELETE", gone)
        self.roles[self.roles.index(gone)] = self.guild.add_role(gone.name)
        return f"{gone.name} replaced by a new one"

    def move_channel(self) -> str:
        """Move a channel to a category or out of all, with its permissions or the category's."""
        channel = self._dice.choice(self.homes())
        category = self._dice.choice([None, *self.categories])
        sync = self._dice.random() < 0.5
        channel.move(category, sync=sync)
        return f"{channel.label} moved to {category}, {sync=}"

    def change_member(self) -> str:
        """Give somebody a role, or take it."""
        member, role = self._dice.choice(self.people), self._dice.choice(self.roles)
        member.role_ids ^= {role.id}
        self._keep_promise(member)
        self.fake.world.announce("GUILD_MEMBER_UPDATE", member)
        return f"{member.name} and {role.name}"

    def leave_or_return(self) -> str:
        """Let somebody leave, whom overwrites may still name, or come back without roles."""
        if self._away:
            back = self._away.pop()
            self.people.append(self.guild.add_member(back))
            return f"{back.name} came back"
        gone = self._dice.choice([who for who in self.people if who.name in GUESTS])
        self.people.remove(gone)
        self._away.append(gone)
        self.fake.remove_member(gone)
        return f"{gone.name} left"

    def change_thread(self) -> str:
        """Archive a thread, open it again, or change who is in a private one."""
        if not self.guild.threads:
            return "nothing"
        thread = self._dice.choice(self.guild.threads)
        if thread.is_private_thread and self._dice.random() < 0.6:
            member = self._dice.choice(self.people)
            thread.member_ids ^= {member.id}
            way = "added" if member.id in thread.member_ids else "removed"
            self.fake.world.announce("THREAD_MEMBERS_UPDATE", thread, **{way: [member.id]})
            return f"{member.name} {way} in {thread.label}"
        thread.archived = not thread.archived
        self.fake.world.announce("THREAD_UPDATE", thread)
        return f"{thread.label} {thread.archived=}"

    def restrict_age(self) -> str:
        """Make a channel age-restricted, or open it to all ages."""
        channel = self._dice.choice(self.homes())
        channel.restrict_age(not channel.nsfw)
        return f"{channel.label} {channel.nsfw=}"

    def restrict_server(self) -> str:
        """Make the server age-restricted, seldom and not for long."""
        self.guild.age_restricted = not self.guild.age_restricted and self._dice.random() < 0.3
        self.fake.world.announce("GUILD_UPDATE", self.guild)
        return f"server {self.guild.age_restricted=}"

    def change_base_role(self) -> str:
        """Let moderators say which role is the base role, and which others imply it."""
        if self._dice.random() < 0.4:
            self.base_role_id, self.implied_role_ids = None, frozenset()
            return "no base role"
        base, *others = self._dice.sample(self.roles, len(self.roles))
        implied = others[: self._dice.randrange(len(others))]
        self.base_role_id = base.id
        self.implied_role_ids = frozenset(role.id for role in implied)
        for member in self.people:
            self._keep_promise(member)
        return f"base role {base.name}, implied {[role.name for role in implied]}"

    def _keep_promise(self, member: Member) -> None:
        """Give whoever has an implied role the base role, as moderators say it is."""
        if self.base_role_id in self.guild.roles and member.role_ids & self.implied_role_ids:
            member.role_ids.add(self.base_role_id)

    def add_or_remove_channel(self) -> str:
        """Make a channel or a thread, or delete one.

        What was said in a public thread belongs to its parent until it is erased, which is not the
        audience's matter: public threads go with their parents only.
        """
        homes = [channel for channel in self.homes() if channel.type != FORUM]
        is_full = len(self.chats()) >= MAX_CHATS
        if is_full or (len(homes) > MIN_CHATS // 2 and self._dice.random() < 0.4):
            private = [thread for thread in self.guild.threads if thread.is_private_thread]
            gone = self._dice.choice([*homes, *private])
            self.fake.world.remove_channel(gone)
            return f"{gone.label} deleted"
        return f"{self.add_channel().label} made"

    def add_channel(self) -> Channel:
        """Make a channel of any kind, or a thread, and return where messages can be written."""
        number = next(self._numbers)
        parents = [c for c in self.homes() if c.type in (TEXT, NEWS, FORUM)]
        if parents and self._dice.random() < 0.4:
            parent = self._dice.choice(parents)
            private = parent.type == TEXT and self._dice.random() < 0.5
            members = [*self._dice.sample(self.people, 2), self.guild.me] if private else []
            return parent.add_thread(
                f"thread-{number}", owner=self.alice, private=private, members=members
            )
        kind = self._dice.choice(KINDS)
        category = self._dice.choice([None, *self.categories])
        channel = self.guild.add_channel(f"channel-{number}", kind, parent=category)
        if kind == FORUM:
            return channel.add_thread(f"post-{number}", owner=self.alice)
        return channel
