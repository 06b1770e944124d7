"""Show members, or moderators who may look, what Kith knows: pages that load again at each turn."""

from functools import partial

import discord

from cogs.bot.audience import readable_by
from cogs.bot.interactions import home_of, say
from cogs.bot.localisation import tr
from cogs.bot.page_links import IN_BROWSER, send_link, web_pages
from cogs.bot.views import ActionButton, ActionSelect, Pages, TextForm
from cogs.memory.choices import MAX_NAME_LENGTH
from cogs.memory.display import Display
from cogs.memory.items import correct_item, forget_item, parse_item, why_text
from cogs.memory.memory_text import CORRECTED, FORGOTTEN, NOTHING_NOTED_OF_MESSAGE
from cogs.memory.pages import NUMBER, Subject, memory_pages, noted_pages
from utils.app import App
from utils.common.errors import BadInput
from utils.common.text import clip, one_line
from utils.memory.member_data.receipts import RECEIPTS, UNKNOWN
from utils.models.conversation import TargetKind
from utils.models.memory import DIRECT_MESSAGES, MEMORY_LIMIT, Member
from utils.models.transfer import Statement


def display_for(app: App, interaction: discord.Interaction) -> Display:
    """Return how the person who used a command or button sees times and texts."""
    return Display(app.clock.now(), None, partial(tr, interaction.locale))


def here(interaction: discord.Interaction) -> Member:
    """Return the person who used a command, as a member of this server or in direct messages."""
    return Member(home_of(interaction), interaction.user.id)


async def begin_here(interaction: discord.Interaction) -> Member:
    """Defer an ephemeral answer, and return the person as :func:`here` does."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    return here(interaction)


class OwnMemories(Pages):
    """A member's own memories, and a list to choose one that is to be corrected or forgotten."""

    def __init__(self, app: App, member: Member, interaction: discord.Interaction) -> None:
        self._app = app
        self._member = member
        self._is_here = member == here(interaction)
        self._texts: dict[str, str] = {}  # by number
        self._told: dict[str, str] = {}  # of them, the server's own, which can only be withdrawn
        self._chosen = ""
        translate, styles = partial(tr, interaction.locale), discord.ButtonStyle
        self._select = ActionSelect(
            self._choose, placeholder=translate("Choose one to correct or forget"), row=1
        )
        self._why = ActionButton(self._show_why, label=translate("Why?"), row=2)
        self._correct = ActionButton(
            self._ask_correction, label=translate("Correct"), style=styles.primary, row=2
        )
        self._forget = ActionButton(
            self._forget_chosen, label=translate("Forget"), style=styles.danger, row=2
        )
        self._browser = ActionButton(self._send_link, label=translate(IN_BROWSER), row=3)
        self._has_page = self._is_here and web_pages(interaction) is not None
        super().__init__(interaction, [""], self._load_pages)

    async def open(self, interaction: discord.Interaction) -> None:
        """Send the first page; the interaction is deferred."""
        self._pages = await self._load_pages(interaction)
        self._show_buttons()
        await self.send(interaction)

    async def _load_pages(self, interaction: discord.Interaction) -> list[str]:
        sources = own_sources(interaction, self._member)
        member_view = await self._app.memory.member_data.show(self._member, linked_sources=sources)
        self._texts = {f"#{row.id}": row.text for row in member_view.rows}
        self._told = {f"#{row.id}": row.text for row in member_view.told}
        self._texts |= self._told
        self._texts |= {f"{TargetKind.LOOP}{loop.id}": loop.text for loop in member_view.loops}
        return memory_pages(
            member_view, display_for(self._app, interaction), subject(interaction, self._member)
        )

    async def _choose(self, interaction: discord.Interaction, number: str) -> None:
        """Choose what the buttons below are about."""
        await interaction.response.defer()
        self._chosen = number
        await self._redraw(interaction)

    async def _show_why(self, interaction: discord.Interaction) -> None:
        """Show where the chosen memory is from."""
        await interaction.response.defer()
        item, display = parse_item(self._chosen), display_for(self._app, interaction)
        text = await why_text(self._app, self._member, item, display)
        await say(interaction, text, suppress_embeds=True)

    async def _ask_correction(self, interaction: discord.Interaction) -> None:
        """Ask what is true instead of the chosen memory."""
        before = self._texts.get(self._chosen, "")
        form = TextForm(
            tr(interaction.locale, "Correct a memory"),
            tr(interaction.locale, "What is true instead"),
            partial(self._replace, self._chosen),
            style=discord.TextStyle.paragraph,
            max_length=MEMORY_LIMIT,
            default=before or None,
        )
        await interaction.response.send_modal(form)

    async def _forget_chosen(self, interaction: discord.Interaction) -> None:
        """Forget the chosen memory."""
        await interaction.response.defer()
        item = parse_item(self._chosen)
        await forget_item(self._app, self._member, item)
        await self._finish(interaction, tr(interaction.locale, FORGOTTEN, number=item))

    async def _send_link(self, interaction: discord.Interaction) -> None:
        """Send a one-time link to the member's own page."""
        await interaction.response.defer()
        if pages := web_pages(interaction):
            await send_link(
                interaction,
                pages.visit_link(self._member),
                "This link opens a page with your memories of this place, once and within 15 "
                "minutes. It is only for you: whoever opens it can see and change them.",
            )

    async def _replace(self, number: str, interaction: discord.Interaction, text: str) -> None:
        """Replace a memory by the member's words."""
        await interaction.response.defer()
        statement = Statement(text, interaction.id, interaction.channel_id or 0)
        item, display = parse_item(number), display_for(self._app, interaction)
        line = await correct_item(self._app, self._member, item, statement, display)
        await self._finish(interaction, tr(interaction.locale, CORRECTED, line=line))

    async def _finish(self, interaction: discord.Interaction, text: str) -> None:
        """Show the pages as they are now, and say what was done."""
        self._chosen = ""
        await self._redraw(interaction)
        await say(interaction, text)

    def _show_buttons(self) -> None:
        super()._show_buttons()
        on_page = NUMBER.findall(self._pages[self._page])
        numbers = [number for number in on_page if number in self._texts]
        if numbers:
            for item in (self._select, self._why, self._correct, self._forget):
                self.add_item(item)
        if self._has_page:
            self.add_item(self._browser)
        self._select.options = [
            discord.SelectOption(
                label=clip(f"{number} {one_line(self._texts[number])}", MAX_NAME_LENGTH),
                value=number,
                default=number == self._chosen,
            )
            for number in numbers
        ]
        is_chosen = self._chosen in numbers
        is_own = is_chosen and self._chosen not in self._told
        self._why.disabled = not is_own or self._chosen.startswith(TargetKind.LOOP)
        self._correct.disabled = not (is_own and self._is_here)
        self._forget.disabled = not is_chosen


class NotedMemories(OwnMemories):
    """What of a member was noted of one message, to be corrected or forgotten."""

    def __init__(
        self, app: App, member: Member, interaction: discord.Interaction, message: discord.Message
    ) -> None:
        super().__init__(app, member, interaction)
        self._message = message

    async def _load_pages(self, interaction: discord.Interaction) -> list[str]:
        rows = await self._app.memory.member_data.noted(self._member, self._message.id)
        self._texts = {f"#{row.item.id}": row.item.text for row in rows}
        nothing = ""
        if not rows:  # says why, unless it is the answer to somebody else
            receipts, message = self._app.memory.receipts, self._message
            why = await receipts.why_not(self._member, message.id, message.channel.id)
            nothing = tr(interaction.locale, NOTHING_NOTED_OF_MESSAGE)
            if message.author == interaction.user or why != RECEIPTS[UNKNOWN]:
                nothing += f" {tr(interaction.locale, why)}"
        return noted_pages(
            rows, self._member.guild_id, display_for(self._app, interaction), nothing
        )


async def show_member(
    app: App,
    interaction: discord.Interaction,
    guild: discord.Guild,
    person: discord.Member | discord.User,
) -> None:
    """Show a moderator what Kith knows about a member; the interaction is deferred.

    Only memories from channels that the moderator can read are shown, and of age-restricted
    channels only in one. The member sees that the moderator looked.
    """
    member = Member(guild.id, person.id)
    await app.guilds.settings.note_look(guild.id, [person.id], interaction.user.id)

    async def load(interaction: discord.Interaction) -> list[str]:
        await check_may_look(app, interaction)
        readable = readable_by(guild, interaction.user, interaction.channel)
        member_view = await app.memory.member_data.show(member, readable, for_others=True)
        return memory_pages(
            member_view, display_for(app, interaction), Subject(person.display_name)
        )

    await Pages(interaction, await load(interaction), load).send(interaction)


async def check_may_look(app: App, interaction: discord.Interaction) -> None:
    """Raise BadInput if the person may not, or no longer, see members' memories as a moderator."""
    settings = await app.guilds.settings.get(interaction.guild_id or DIRECT_MESSAGES)
    permissions = interaction.permissions
    is_moderator = permissions.manage_guild or permissions.moderate_members
    if interaction.guild is None or not (is_moderator and settings.moderators_see_members):
        raise BadInput(
            "What I know about others belongs to them. Moderators can only look if the server "
            "allows it."
        )


def own_sources(interaction: discord.Interaction, member: Member) -> frozenset[int]:
    """Return the channels of a server that the person who asks can read; none if Kith left it.

    Only they read the answer, so it may contain what their linked account said in these.
    """
    guild = interaction.client.get_guild(member.guild_id)
    if guild is None:
        return frozenset()
    if interaction.guild_id == guild.id:
        return readable_by(guild, interaction.user, interaction.channel)
    person = guild.get_member(interaction.user.id)
    return frozenset() if person is None else readable_by(guild, person)


def subject(interaction: discord.Interaction, member: Member) -> Subject:
    """Return what pages about the person's own memories, here or elsewhere, are about."""
    is_here = member == here(interaction)
    return Subject(
        place="" if is_here else server_name(interaction, member.guild_id),
        is_direct=member.guild_id == DIRECT_MESSAGES,
    )


def server_name(interaction: discord.Interaction, guild_id: int) -> str:
    """Return a server's name, or its id if Kith is no longer in it."""
    if guild_id == DIRECT_MESSAGES:
        return tr(interaction.locale, "Direct messages")
    guild = interaction.client.get_guild(guild_id)
    if guild is not None:
        return guild.name
    return tr(interaction.locale, "server {guild_id}", guild_id=guild_id)
