"""/mod: write policy, freezing, ignored members, the review queue, and a member's memory."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from cogs.bot.audience import readable_by
from cogs.bot.interactions import ModeratorsOnly, begin, guild_of, respond, say
from cogs.bot.localisation import ENGLISH, number, option_name, tr
from cogs.bot.page_links import send_moderator_link
from cogs.bot.views import Pages
from cogs.memory.pages import Subject, memory_line, memory_number, search_pages
from cogs.memory.search_options import (
    SEARCH_OPTIONS,
    SearchChannel,
    SearchKind,
    SearchTime,
    SearchWords,
    limits_in_words,
    search_filter,
)
from cogs.memory.showing import check_may_look, display_for, show_member
from cogs.moderation.review import Reviews
from cogs.moderation.review_texts import HIDDEN
from cogs.settings.settings_text import NONE, YES_NO
from utils.app import App
from utils.common.errors import BadInput
from utils.memory.member_data.search import SearchFilter
from utils.models.guild import GuildSettings
from utils.models.memory import SERVER_USER_ID, Kind, Member, Memory
from utils.models.policy import PolicyChange, WritePolicy
from utils.models.recall import SearchResult

KINDS = ", ".join(Kind)
LORE_A_PAGE = 10
NOT_BOTS = "I remember people, not bots."
VERSIONS_A_PAGE = 7  # a reason has up to 200 characters, a message 2,000
FREEZE = {
    True: (
        "**Frozen:** from now on I store and learn nothing in this server, not even what was just "
        "talked about. What I remember stays, and what people ask me to forget still goes. Watched "
        "channels stay watched for trouble (`/mod watch`), but nothing is noted there."
    ),
    False: "**Not frozen any more:** I learn again, but nothing of what was said in between.",
}
FIELD_WORDS = {
    "mode": "auto: used at once · shadow: kept, never used · manual: used once approved",
    "active_from": "how sure a lasting memory must be to be used",
    "proposed_from": "how sure it must be to wait for approval",
    "passing_from": "how sure a task, an episode or lore must be",
    "pattern_days": "on how many days a habit must show",
    "approve_kinds": "kinds that always wait for approval",
    "refused_kinds": "kinds that are never learned",
    "writes_per_session": "new memories of a member before 30 minutes of silence",
    "writes_per_hour": "new memories of a member in an hour",
    "longest_days": "shorter lives, in days, by kind",
    "cap": "memories kept of a member",
    "recall": "whether I use what I remember here",
}


class ModerationCommands(ModeratorsOnly, commands.Cog):
    """The commands under ``/mod`` about memory."""

    policy = app_commands.Group(name="policy", description="What I may learn and use here")
    ignored = app_commands.Group(name="ignore", description="Members about whom I note nothing")

    def __init__(self, app: App, reviews: Reviews) -> None:
        self._app = app
        self._reviews = reviews

    # --- policy --------------------------------------------------------------------------------

    @policy.command(name="show")
    async def show_policy(self, interaction: discord.Interaction) -> None:
        """Show what I may learn and use in this server."""
        guild_id = await begin(interaction)
        policy = await self._app.guilds.settings.policy(guild_id)
        settings = await self._app.guilds.settings.get(guild_id)
        await say(interaction, policy_text(policy, settings, interaction.locale))

    @policy.command(name="set")
    @app_commands.rename(show_members="moderators_see_members")
    @app_commands.describe(
        **FIELD_WORDS
        | {
            "approve_kinds": f"Wait for approval: {KINDS}; or none",
            "refused_kinds": f"Never learned: {KINDS}; or none",
            "longest_days": "Shorter lives in days, such as: task 7, episode 90; or none",
        },
        show_members="Whether moderators may look at what I remember of a member",
        reason="Why; kept with the change",
    )
    async def set_policy(
        self,
        interaction: discord.Interaction,
        mode: Literal["auto", "shadow", "manual"] | None = None,
        active_from: float | None = None,
        proposed_from: float | None = None,
        passing_from: float | None = None,
        pattern_days: int | None = None,
        approve_kinds: str | None = None,
        refused_kinds: str | None = None,
        writes_per_session: int | None = None,
        writes_per_hour: int | None = None,
        longest_days: str | None = None,
        cap: int | None = None,
        recall: bool | None = None,
        show_members: bool | None = None,
        reason: str = "",
    ) -> None:
        """Change what I may learn and use here; only what you name changes."""
        guild_id = await begin(interaction)
        values = (
            *(mode, active_from, proposed_from, passing_from, pattern_days, approve_kinds),
            *(refused_kinds, writes_per_session, writes_per_hour, longest_days, cap, recall),
        )
        fields = zip(FIELD_WORDS, values, strict=True)
        chosen = {name: value for name, value in fields if value is not None}
        lines = []
        if chosen:
            change = await self._app.guilds.settings.set_policy(
                guild_id, chosen, actor_id=interaction.user.id, reason=reason
            )
            lines += change_lines(change, interaction.locale)
        settings = await self._app.guilds.settings.get(guild_id)
        if show_members is not None and show_members is not settings.moderators_see_members:
            await self._app.guilds.settings.set_values(
                guild_id, moderators_see_members=show_members, actor_id=interaction.user.id
            )
            lines.append(_field_line("moderators_see_members", show_members, interaction.locale))
        await _say_changes(interaction, lines)

    @policy.command(name="history")
    async def policy_history(self, interaction: discord.Interaction) -> None:
        """Show every policy this server had: who chose it, when and why."""
        guild_id = await begin(interaction)
        versions = await self._app.guilds.settings.policy_versions(guild_id)
        by_operator = tr(interaction.locale, "my operator")
        lines = [
            f"- **{version.version}** · <t:{int(version.at.timestamp())}:f> · "
            f"{by_operator if version.actor_id <= 0 else f'<@{version.actor_id}>'}"
            f"{f' · {version.reason}' if version.reason else ''}"
            for version in versions
        ]
        await _send_pages(
            interaction,
            "**What I was allowed here, newest first:**",
            lines,
            VERSIONS_A_PAGE,
            if_none="This server has never changed what I may learn and use.",
        )

    @policy.command(name="rollback")
    @app_commands.describe(
        version="Which; see /mod policy history (0: the original one)",
        reason="Why; kept with the change",
    )
    async def roll_back_policy(
        self, interaction: discord.Interaction, version: int, reason: str = ""
    ) -> None:
        """Bring back an earlier policy of this server."""
        guild_id = await begin(interaction)
        change = await self._app.guilds.settings.restore_policy(
            guild_id, version, interaction.user.id, reason
        )
        await _say_changes(interaction, change_lines(change, interaction.locale))

    @app_commands.command()
    @app_commands.describe(state="on: nothing more is stored or learned; off: it goes on")
    async def freeze(self, interaction: discord.Interaction, state: Literal["on", "off"]) -> None:
        """Stop me from storing and learning anything here, at once."""
        guild_id = await begin(interaction)
        await self._app.guilds.settings.set_values(
            guild_id, frozen=state == "on", actor_id=interaction.user.id
        )
        await respond(interaction, FREEZE[state == "on"])

    # --- members -------------------------------------------------------------------------------

    @ignored.command(name="add")
    @app_commands.describe(member="The member to ignore")
    async def ignore(self, interaction: discord.Interaction, member: discord.User) -> None:
        """Stop storing and learning anything about a member."""
        guild_id = await begin(interaction)
        if member.bot:
            raise BadInput(NOT_BOTS)
        if not await self._app.guilds.settings.ignore(
            Member(guild_id, member.id), ignored=True, actor_id=interaction.user.id
        ):
            raise BadInput("I already note nothing about {member}.", member=member.mention)
        await respond(
            interaction,
            "From now on I note nothing about {member}. What I remember of them stays until they "
            "have it forgotten or it ends.",
            member=member.mention,
        )

    @ignored.command(name="remove")
    @app_commands.describe(member="The member to stop ignoring")
    async def hear_again(self, interaction: discord.Interaction, member: discord.User) -> None:
        """Note what a member says about themselves again."""
        guild_id = await begin(interaction)
        if not await self._app.guilds.settings.ignore(
            Member(guild_id, member.id), ignored=False, actor_id=interaction.user.id
        ):
            raise BadInput("{member} is not ignored.", member=member.mention)
        await respond(
            interaction, "I note again what {member} says, as they let me.", member=member.mention
        )

    @ignored.command(name="list")
    async def list_ignored(self, interaction: discord.Interaction) -> None:
        """Show the members I store nothing about."""
        guild_id = await begin(interaction)
        names = [f"- <@{user_id}>" for user_id in await self._app.guilds.settings.ignored(guild_id)]
        await _send_pages(
            interaction,
            "I note nothing about these members:",
            names,
            50,
            if_none="Nobody is ignored.",
        )

    @app_commands.command()
    @app_commands.describe(member="Whose; they can see that you looked")
    async def memory(self, interaction: discord.Interaction, member: discord.User) -> None:
        """Show what I remember of a member, where this server allows it."""
        guild = await self._begin_look(interaction, member)
        await show_member(self._app, interaction, guild, member)

    @app_commands.command()
    @app_commands.describe(**SEARCH_OPTIONS, member="Only what I remember of this member")
    async def search(
        self,
        interaction: discord.Interaction,
        words: SearchWords,
        member: discord.User | None = None,
        kind: SearchKind | None = None,
        when: SearchTime | None = None,
        channel: SearchChannel | None = None,
    ) -> None:
        """Find what I remember of members, where this server allows it."""
        guild = await self._begin_look(interaction, member)
        subject = Subject(is_everybody=True) if member is None else Subject(member.display_name)
        only = await search_filter(self._app, guild.id, kind, when, channel)
        limits = limits_in_words(interaction.locale, kind, when, channel)
        seen_ids: set[int] = set()

        async def load(interaction: discord.Interaction) -> list[str]:
            await check_may_look(self._app, interaction)
            sources = readable_by(guild, interaction.user, interaction.channel)
            matches = await self._find(guild.id, words, member, sources, only)
            memories = (row for row in (*matches.rows, *matches.others) if isinstance(row, Memory))
            new_ids = {row.user_id for row in memories} - {SERVER_USER_ID} - seen_ids
            if new_ids:
                await self._app.guilds.settings.note_look(guild.id, new_ids, interaction.user.id)
                seen_ids.update(new_ids)
            return search_pages(
                matches, words, display_for(self._app, interaction), subject, limits
            )

        await Pages(interaction, await load(interaction), load).send(interaction)

    async def _find(
        self,
        guild_id: int,
        words: str,
        member: discord.User | None,
        sources: frozenset[int],
        only: SearchFilter,
    ) -> SearchResult:
        searcher = self._app.memory.ranked_search
        if member is None:
            return await searcher.of_server(guild_id, words, sources, only=only)
        return await searcher.of_member(
            Member(guild_id, member.id),
            words,
            sources,
            only=only,
            name=member.display_name,
            for_others=True,
        )

    async def _begin_look(
        self, interaction: discord.Interaction, member: discord.User | None
    ) -> discord.Guild:
        """Defer the answer, and return the server.

        Raises BadInput if moderators of this server may not see members' memories.
        """
        settings = await self._app.guilds.settings.get(await begin(interaction))
        guild = interaction.guild
        if guild is None or not settings.moderators_see_members:
            raise BadInput(
                "This server does not let moderators see what I remember of members; `/mod policy "
                "set moderators_see_members:True` changes that, and members see who looked."
            )
        if member is not None and member.bot:
            raise BadInput(NOT_BOTS)
        return guild

    @app_commands.command()
    @app_commands.describe(remove="The number of one to erase for good, such as 12")
    async def lore(self, interaction: discord.Interaction, remove: str | None = None) -> None:
        """Show the stories and facts that I keep of this server, or erase one."""
        guild_id, locale = await begin(interaction), interaction.locale
        if remove is not None:
            number = memory_number(remove)
            if not await self._app.memory.editor.forget_of_server(
                guild_id, number, actor_id=interaction.user.id
            ):
                raise BadInput("This server has no story or fact `#{number}`.", number=number)
            await respond(
                interaction,
                "`#{number}` is erased, and so are my answers that were made from it.",
                number=number,
            )
            return
        readable = readable_by(guild_of(interaction), interaction.user, interaction.channel)
        server = Member(guild_id, SERVER_USER_ID)
        rows = (await self._app.memory.member_data.show(server, for_others=True)).rows
        display = display_for(self._app, interaction)
        lines = [
            memory_line(row, display)
            if row.channel_id in readable
            else f"`#{row.id}` {tr(locale, HIDDEN)}"
            for row in rows
        ]
        await _send_pages(
            interaction,
            "**Stories and facts of this server, newest first** (`/mod lore remove:`)",
            lines,
            LORE_A_PAGE,
            if_none="I keep no stories or facts of this server.",
        )

    @app_commands.command()
    async def page(self, interaction: discord.Interaction) -> None:
        """Set me up in the browser: a link to this server's settings, for you alone."""
        await begin(interaction)
        await send_moderator_link(interaction)

    @app_commands.command()
    async def review(self, interaction: discord.Interaction) -> None:
        """Show the memories that wait for approval, oldest first."""
        await begin(interaction)
        await self._reviews.show(interaction)


def policy_text(
    policy: WritePolicy, settings: GuildSettings, locale: discord.Locale = ENGLISH
) -> str:
    """Return a server's write policy, one line for each field."""
    lines = [
        tr(
            locale,
            "**What I may learn and use here** (version {version})",
            version=settings.policy_version,
        ),
        *(
            f"{_field_line(name, getattr(policy, name), locale)} ({tr(locale, words)})"
            for name, words in FIELD_WORDS.items()
        ),
    ]
    lines += [
        _field_line("moderators_see_members", settings.moderators_see_members, locale),
        f"{_field_line('frozen', settings.frozen, locale)} (`/mod freeze`)",
    ]
    return "\n".join(lines)


def _field_line(name: str, value: object, locale: discord.Locale) -> str:
    """Return a value under the name of the option that sets it."""
    return f"- {_field_name(name, locale)}: **{_shown(value, locale)}**"


def _field_name(name: str, locale: discord.Locale) -> str:
    """Return an option's name as words."""
    return option_name(locale, name).replace("_", " ")


def change_lines(change: PolicyChange, locale: discord.Locale) -> list[str]:
    """Return what a change of policy changed, one line for each field."""
    lines = []
    for name in FIELD_WORDS:
        before, after = getattr(change.before, name), getattr(change.after, name)
        if before != after:
            change_text = f"{_shown(before, locale)} → **{_shown(after, locale)}**"
            lines.append(f"- {_field_name(name, locale)}: {change_text}")
    return lines


def _shown(value: object, locale: discord.Locale) -> str:
    if isinstance(value, bool):
        return tr(locale, YES_NO[value])
    if isinstance(value, float):
        return number(locale, value, "g")
    if isinstance(value, Mapping):
        days = ", ".join(f"{kind} {days}" for kind, days in sorted(value.items()))
        return f"`{days}`" if days else tr(locale, NONE)
    if isinstance(value, frozenset):
        return f"`{', '.join(sorted(value))}`" if value else tr(locale, NONE)
    return str(value)


async def _send_pages(
    interaction: discord.Interaction[Any],
    heading: str,
    lines: Sequence[str],
    per_page: int,
    *,
    if_none: str,
) -> None:
    """Send lines as pages, each with the heading, or a sentence if there are none."""
    top, starts = tr(interaction.locale, heading), range(0, len(lines), per_page)
    pages = ["\n".join([top, *lines[start : start + per_page]]) for start in starts]
    if pages:
        await Pages(interaction, pages).send(interaction)
    else:
        await respond(interaction, if_none)


async def _say_changes(interaction: discord.Interaction[Any], lines: Sequence[str]) -> None:
    locale = interaction.locale
    text = (
        "\n".join([tr(locale, "Changed:"), *lines]) if lines else tr(locale, "Nothing has changed.")
    )
    await say(interaction, text)
