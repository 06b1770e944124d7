"""What tests make people and Discord do: speak, react, join, use commands, lose connections."""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import payloads
from . import permissions as allowed
from .errors import CannotDo
from .journal import PATIENCE_S
from .limits import CONTENT_MAX, walk
from .outcomes import Interaction
from .things import FORUM, PUBLIC_THREAD, WITHOUT_CHAT, Channel, Guild, Member, Message, Role, User

if TYPE_CHECKING:
    from .commands import Registry
    from .gateway import Gateway
    from .interactions import People
    from .journal import Journal
    from .messages import Post
    from .world import World

UNCHANGED: Any = object()


class Actions:
    """The test-side verbs of :class:`FakeDiscord`."""

    world: World
    journal: Journal
    gateway: Gateway
    commands: Registry
    people: People
    post: Post

    if TYPE_CHECKING:

        async def until_known(
            self, pressed: Collection[str], message_id: int | None = None
        ) -> None: ...

    # -- speaking -------------------------------------------------------------

    async def say(
        self,
        who: User | Member,
        channel: Channel,
        text: str = "",
        *,
        reply_to: Message | None = None,
        ping_reply: bool = True,
        files: Sequence[tuple[str, bytes] | tuple[str, bytes, str]] = (),
        embeds: Sequence[dict[str, Any]] = (),
        at: dt.datetime | None = None,
        forward: Message | None = None,
        shown: Mapping[str, Any] | None = None,
    ) -> Message:
        """Let somebody write; ``<@bot>`` mentions the bot, and ``at`` dates the message.

        With ``forward`` it is a forwarded message: its own text is empty, it carries a snapshot.
        ``shown`` are other fields of Discord's message object: a poll, stickers, components.
        """
        bits = channel.permissions_of(who)
        needed = allowed.SEND_IN_THREADS if channel.is_thread else allowed.SEND_MESSAGES
        if channel.type in WITHOUT_CHAT:
            raise CannotDo(f"there is no chat in {channel.label} itself")
        is_closed = channel.locked and not bits & allowed.MANAGE_THREADS
        if is_closed or not bits & needed or not bits & allowed.VIEW_CHANNEL:
            raise CannotDo(f"{who.name} may not write in {channel.label}")
        blocked = () if channel.guild is None else channel.guild.blocked_words
        if not bits & allowed.MANAGE_GUILD and any(word in text.lower() for word in blocked):
            raise CannotDo(f"AutoMod blocks what {who.name} writes")
        text = text.replace("<@bot>", self.world.bot_user.mention)
        if len(text) > 2 * CONTENT_MAX:
            raise CannotDo(f"{len(text)} characters are too long, even with Nitro")
        made = [
            payloads.attachment(self.world, channel, f[0], f[1], f[2] if len(f) > 2 else None)
            for f in files
        ]
        rules = {"parse": ["users", "roles", "everyone"], "replied_user": ping_reply}
        body = {"content": text, "embeds": list(embeds), "allowed_mentions": rules, **(shown or {})}
        author = self.world.users[who.id]
        return self.post.post(
            channel, author, body, attachments=made, reply_to=reply_to, at=at, forwarded=forward
        )

    async def open_post(
        self,
        who: User | Member,
        forum: Channel,
        title: str,
        text: str,
        tags: Collection[str] = (),
    ) -> tuple[Channel, Message]:
        """Let somebody open a post in a forum: a thread, and its first message with the same id."""
        if forum.type != FORUM or not forum.permissions_of(who) & allowed.SEND_MESSAGES:
            raise CannotDo(f"{who.name} may not open a post in {forum.label}")
        applied = {tag_id: name for tag_id, name in forum.tags.items() if name in tags}
        thread = self.world.make_thread(forum, title, who.id, PUBLIC_THREAD, set(), tags=applied)
        text = text.replace("<@bot>", self.world.bot_user.mention)
        body = {"content": text, "allowed_mentions": {"parse": ["users", "roles", "everyone"]}}
        return thread, self.post.post(thread, self.world.users[who.id], body, id=thread.id)

    async def post_by_webhook(self, name: str, channel: Channel, text: str) -> Message:
        """Let a webhook write under a name, as a proxy does for a member."""
        webhook = User(self.world.ids.next(), name, bot=True)
        text = text.replace("<@bot>", self.world.bot_user.mention)
        rules = {"parse": ["users", "roles", "everyone"]}
        body = {"content": text, "allowed_mentions": rules, "webhook_id": str(webhook.id)}
        return self.post.post(channel, webhook, body)

    async def edit(self, message: Message, text: str) -> None:
        """Let the author edit a message."""
        self.post.edit(message, {"content": text.replace("<@bot>", self.world.bot_user.mention)})

    async def delete(self, message: Message) -> None:
        """Delete a message."""
        self.post.delete(message)

    async def bulk_delete(self, messages: Iterable[Message]) -> None:
        """Delete messages of one channel at once."""
        found = list(messages)
        self.post.bulk_delete(found[0].channel, found)

    async def react(self, who: User | Member, message: Message, emoji: str) -> None:
        """Let somebody react."""
        bits = message.channel.permissions_of(who)
        if bits in (0, allowed.TIMED_OUT) or not (
            bits & allowed.ADD_REACTIONS or emoji in message.reactions
        ):
            raise CannotDo(f"{who.name} may not react in {message.channel.label}")
        self.post.react(who.id, message, emoji)

    async def type_in(self, who: User | Member, channel: Channel) -> None:
        """Let somebody be seen typing."""
        self.world.announce("TYPING_START", channel, user_id=who.id)

    # -- commands and components ----------------------------------------------

    async def slash(
        self,
        who: User | Member,
        channel: Channel,
        command: str,
        options: Mapping[str, Any] | None = None,
    ) -> Interaction:
        """Use a slash command: ``slash(alice, general, "memory show", {"page": 2})``."""
        return self.people.slash(who, channel, command, options or {})

    def autocomplete(
        self,
        who: User | Member,
        channel: Channel,
        command: str,
        focused: str,
        text: Any = "",
        options: Mapping[str, Any] | None = None,
        *,
        timeout: float = PATIENCE_S,
    ) -> Awaitable[list[dict[str, Any]]]:
        """Type into an option and return the choices offered, each with ``name`` and ``value``."""
        return self.people.autocomplete(
            who, channel, command, focused, text, options or {}
        ).choices(timeout)

    async def context_menu(
        self, who: User | Member, channel: Channel, name: str, target: User | Member | Message
    ) -> Interaction:
        """Use a context menu command on a message or a user."""
        return self.people.menu(who, channel, name, target)

    async def click(self, who: User | Member, message: Message, which: str) -> Interaction:
        """Press a button, named by its label, custom id or emoji."""
        await self._until_known(message)
        return self.people.click(who, message, which)

    async def select(
        self, who: User | Member, message: Message, values: Sequence[Any], which: str | None = None
    ) -> Interaction:
        """Choose in a select; text options by label or value, the others by the object itself."""
        await self._until_known(message)
        return self.people.select(who, message, which, values)

    async def _until_known(self, message: Message) -> None:
        pressable = [part["custom_id"] for part in walk(message.components) if "custom_id" in part]
        await self.until_known(pressable, message.id)

    # -- people and places ----------------------------------------------------

    def remove_member(self, member: Member) -> None:
        """Let a member leave."""
        member.guild.members.pop(member.id, None)
        self.journal.note(f"{member.name} left {member.guild.name}")
        self.world.announce("GUILD_MEMBER_REMOVE", member)

    async def leave(self, member: Member) -> None:
        """Let a member leave."""
        self.remove_member(member)

    async def change_member(
        self, member: Member, *, nick: str | None = UNCHANGED, roles: Iterable[Role] | None = None
    ) -> None:
        """Change a member's nickname or roles."""
        if nick is not UNCHANGED:
            member.nick = nick
        if roles is not None:
            member.role_ids = {role.id for role in roles}
        self.world.announce("GUILD_MEMBER_UPDATE", member)

    async def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or a thread."""
        self.world.remove_channel(channel)

    async def set_overwrite(
        self, channel: Channel, target: Role | Member | User, *, allow: int = 0, deny: int = 0
    ) -> None:
        """Change what a role or member may do in a channel; zeros remove the overwrite."""
        channel.overwrite(target, allow=allow, deny=deny)

    async def set_role_permissions(self, role: Role, permissions: int) -> None:
        """Change a role's permissions."""
        role.permissions = permissions
        self.world.announce("GUILD_ROLE_UPDATE", role)

    async def delete_role(self, role: Role) -> None:
        """Delete a role."""
        del role.guild.roles[role.id]
        for member in role.guild.members.values():
            member.role_ids.discard(role.id)
        self.world.announce("GUILD_ROLE_DELETE", role)

    async def archive_thread(
        self, thread: Channel, *, archived: bool = True, locked: bool = False
    ) -> None:
        """Archive (and lock) a thread, or open it again."""
        thread.archived, thread.locked = archived, locked
        self.world.announce("THREAD_UPDATE", thread)

    async def add_to_thread(self, thread: Channel, who: User | Member) -> None:
        """Let somebody join a thread; the bot then hears a private one."""
        thread.member_ids.add(who.id)
        if who.id == self.world.bot_user.id:
            self.world.announce("THREAD_CREATE", thread)
        self.world.announce("THREAD_MEMBERS_UPDATE", thread, added=[who.id])

    def take_bot_out(self, guild: Guild) -> None:
        """Remove the bot from a server."""
        role = guild.bot_role
        guild.members.pop(self.world.bot_user.id, None)
        guild.roles.pop(role.id, None)
        self.journal.note(f"the bot left {guild.name}")
        self.world.announce("GUILD_DELETE", guild)

    async def remove_bot(self, guild: Guild) -> None:
        """Let somebody throw the bot out of a server."""
        self.take_bot_out(guild)

    async def outage(self, guild: Guild) -> None:
        """Let a server become unavailable; ``outage_over`` brings it back."""
        guild.is_out = True
        self.world.announce("GUILD_DELETE", guild, outage=True)

    async def outage_over(self, guild: Guild) -> None:
        """Let a server become available again."""
        guild.is_out = False
        self.world.announce("GUILD_CREATE", guild, back=True)

    # -- the connection -------------------------------------------------------

    async def drop_connection(
        self, code: int | None = None, *, forget_session: bool = False
    ) -> None:
        """Cut the line, or close it with a code; discord.py resumes if the session is kept."""
        self.gateway.drop(code, forget=forget_session)

    def wait_resumed(self, *, times: int = 1, timeout: float = PATIENCE_S) -> Awaitable[bool]:
        """Wait until a session has resumed so often."""
        return self.journal.wait(
            lambda: any(s.resumed >= times for s in self.gateway.sessions.values()),
            "RESUMED",
            timeout,
        )

    async def duplicate_last_dispatch(self, event: str | None = None) -> None:
        """Send the last event (of a kind, such as ``"MESSAGE_CREATE"``) a second time."""
        self.gateway.repeat_last(event)
