"""The review queue on Discord: posts with persistent buttons, and the pages of /mod review."""

import asyncio
import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import discord
from discord import app_commands
from discord.ext import commands

from cogs.bot.audience import Audiences, readable_by
from cogs.bot.interactions import NO_PINGS, card, log_errors, try_to_edit_post
from cogs.bot.localisation import ENGLISH, tr
from cogs.bot.views import AuthorView, PersistentButton, persistent_view
from cogs.memory.texts import FOOTER
from cogs.moderation import review_texts as texts
from cogs.moderation.review_sentences import FOR_MODERATORS, SentenceButton, may_decide
from cogs.moderation.review_texts import LINE_LIMIT, decision_text, memory_line, post_text
from utils.app import App
from utils.common.errors import BadInput
from utils.models.guild import Purpose
from utils.models.policy import Review, ReviewPost, WaitingMemory

MAX_UNPOSTED = 1_000
CLEANUP_EVERY_S = 30.0
PER_PAGE = 4  # memories under one list: Discord shows five rows of buttons, one turns pages
STYLES = {True: discord.ButtonStyle.success, False: discord.ButtonStyle.danger}
LABELS = {True: "Approve", False: "Reject"}
_VERDICTS = {True: "approve", False: "reject"}

MAX_SEARCHED = 100
_BUTTON_ID = re.compile(r"kith:review:(?P<verdict>approve|reject):(?P<memory_id>[0-9]{1,18})")

_log = logging.getLogger(__name__)


class ReviewButton(
    PersistentButton[discord.ui.Button[Any]],
    template=_BUTTON_ID,
):
    """*Approve* or *Reject* under a post; its custom id holds the memory's number."""

    def __init__(self, memory_id: int, *, approve: bool, locale: discord.Locale = ENGLISH) -> None:
        super().__init__(
            discord.ui.Button(
                label=tr(locale, LABELS[approve]),
                style=STYLES[approve],
                custom_id=f"kith:review:{_VERDICTS[approve]}:{memory_id}",
            )
        )
        self._memory_id = memory_id
        self._approve = approve

    @classmethod
    def restore(cls, item: discord.ui.Item[Any], match: re.Match[str]) -> Self:
        """Return the button for a custom id."""
        return cls(int(match["memory_id"]), approve=match["verdict"] == _VERDICTS[True])

    def check(self, interaction: discord.Interaction[Any]) -> None:
        """Raise BadInput if the user is not a moderator."""
        if not may_decide(interaction):
            raise BadInput(FOR_MODERATORS)

    async def press(self, interaction: discord.Interaction[Any]) -> None:
        """Carry out the decision, and replace the post by one sentence about it."""
        reviews: Reviews = interaction.client.get_cog(Reviews.__name__)
        await interaction.response.defer()
        await reviews.decide_post(interaction, self._memory_id, approve=self._approve)


class Reviews(commands.Cog):
    """Posts waiting memories to the log channel, carries out decisions, and clears old posts."""

    def __init__(self, bot: commands.AutoShardedBot, app: App, audiences: Audiences) -> None:
        self._bot = bot
        self._app = app
        self._audiences = audiences
        self._unposted: asyncio.Queue[tuple[int, int]] = asyncio.Queue(MAX_UNPOSTED)
        worker = app.runtime.infrastructure.worker
        self._poster = worker("review posts", self._post_next, interval_s=0.0)
        self._cleaner = worker("review cleanup", self.try_clean_up, interval_s=CLEANUP_EVERY_S)

    async def cog_load(self) -> None:
        """Register the buttons of every post, and start posting."""
        self._bot.add_dynamic_items(ReviewButton, SentenceButton)
        self._app.memory.signals.proposals.connect(self._enqueue)
        self._poster.start()
        self._cleaner.start()

    async def cog_unload(self) -> None:
        """Stop posting; memories that were not posted are in /mod review."""
        self._app.memory.signals.proposals.disconnect(self._enqueue)
        await asyncio.gather(self._poster.close(), self._cleaner.close())
        self._bot.remove_dynamic_items(ReviewButton, SentenceButton)

    # --- posting -------------------------------------------------------------------------------

    def _enqueue(self, guild_id: int, memory_ids: Sequence[int]) -> None:
        for memory_id in memory_ids:
            if self._unposted.full():
                _log.warning("too many memories wait to be posted; /mod review shows them all")
            else:
                self._unposted.put_nowait((guild_id, memory_id))

    async def _post_next(self) -> None:
        await self._bot.wait_until_ready()
        guild_id, memory_id = await self._unposted.get()
        with log_errors("a waiting memory was not posted"):
            await self._post(guild_id, memory_id)
        self._unposted.task_done()

    async def _post(self, guild_id: int, memory_id: int) -> None:
        """Post a waiting memory to the log channels; without one, only /mod review shows it."""
        settings = await self._app.guilds.settings.get(guild_id)
        for place in settings.channels_for(Purpose.LOG):
            proposal = await self._app.memory.reviews.find(guild_id, memory_id)
            if proposal is None:
                return
            guild = self._bot.get_guild(guild_id)
            channel = guild.get_channel(place.channel_id) if guild else None
            is_readable = await self._audiences.may_quote(channel, proposal.channel_id, settings)
            locale = guild.preferred_locale if guild else ENGLISH
            buttons = [
                *(ReviewButton(memory_id, approve=yes, locale=locale) for yes in (True, False)),
                SentenceButton(memory_id, locale),
            ]
            planned = ReviewPost(guild_id, memory_id, place.channel_id)
            await self._app.memory.reviews.note_post(planned)
            posted = await self._bot.get_partial_messageable(
                place.channel_id, guild_id=guild_id
            ).send(
                post_text(proposal, locale, is_readable=is_readable),
                view=persistent_view(buttons),
                allowed_mentions=NO_PINGS,
                silent=True,
            )
            await self._settle_planned(planned, posted.id)

    async def _settle_planned(self, planned: ReviewPost, message_id: int | None) -> None:
        """Record the message of a planned post; None: it was never sent."""
        if message_id is not None:
            await self._app.memory.reviews.note_post(replace(planned, message_id=message_id))
        await self._app.memory.reviews.close_post(planned)

    # --- deciding ------------------------------------------------------------------------------

    async def decide(
        self, interaction: discord.Interaction[Any], memory_id: int, *, approve: bool
    ) -> Review:
        """Carry out a moderator's decision.

        Raises BadInput if the user is not a moderator, and while the server is frozen.
        """
        guild = interaction.guild
        if guild is None or not may_decide(interaction):
            raise BadInput(FOR_MODERATORS)
        settings = await self._app.guilds.settings.get(guild.id)
        return await self._app.memory.editor.review(
            guild.id,
            memory_id,
            approve,
            interaction.user.id,
            self._audiences.open_channels(guild, settings.base_role_id, settings.implied_role_ids),
        )

    async def decide_post(
        self, interaction: discord.Interaction[Any], memory_id: int, *, approve: bool
    ) -> None:
        """Carry out a decision made under a post, whose text is replaced by the result."""
        review = await self.decide(interaction, memory_id, approve=approve)
        text = decision_text(memory_id, review, interaction.guild_locale or ENGLISH)
        await interaction.edit_original_response(content=text, view=None, allowed_mentions=NO_PINGS)
        if not review.is_new:
            text = decision_text(memory_id, review, interaction.locale)
            await interaction.followup.send(text, ephemeral=True, allowed_mentions=NO_PINGS)
        if interaction.message is not None:
            post = interaction.message
            await self._app.memory.reviews.close_post(
                ReviewPost(interaction.guild_id or 0, memory_id, post.channel.id, post.id)
            )

    async def decided(
        self, interaction: discord.Interaction[Any], proposals: Sequence[WaitingMemory]
    ) -> dict[int, str]:
        """Return what became of those memories that no longer wait, by id, without their texts."""
        guild_id = interaction.guild_id or 0
        waiting = {
            proposal.memory_id for proposal in await self._app.memory.reviews.waiting(guild_id)
        }
        return {
            proposal.memory_id: decision_text(
                proposal.memory_id,
                await self._app.memory.reviews.standing(guild_id, proposal.memory_id),
                interaction.locale,
            )
            for proposal in proposals
            if proposal.memory_id not in waiting
        }

    # --- clearing posts ------------------------------------------------------------------------

    async def clean_up(self) -> None:
        """Replace the text of every post whose memory no longer waits."""
        guild_ids = [guild.id for guild in self._bot.guilds]
        for planned in await self._app.memory.reviews.planned_posts(guild_ids):
            await self._find_planned(planned)
        for post in await self._app.memory.reviews.stale_posts(guild_ids):
            review = await self._app.memory.reviews.standing(post.guild_id, post.memory_id)
            channel = self._bot.get_partial_messageable(post.channel_id, guild_id=post.guild_id)
            guild = self._bot.get_guild(post.guild_id)
            locale = guild.preferred_locale if guild else ENGLISH
            is_over = await try_to_edit_post(
                channel.get_partial_message(post.message_id),
                content=decision_text(post.memory_id, review, locale),
                view=None,
                allowed_mentions=NO_PINGS,
            )
            if is_over:
                await self._app.memory.reviews.close_post(post)

    async def _find_planned(self, planned: ReviewPost) -> None:
        """Find a post that was sent and not recorded, by its buttons."""
        channel = self._bot.get_partial_messageable(planned.channel_id, guild_id=planned.guild_id)
        message_id = None
        try:
            async for message in channel.history(limit=MAX_SEARCHED):
                if message.author == self._bot.user and planned.memory_id in _reviewed(message):
                    message_id = message.id
        except (discord.NotFound, discord.Forbidden) as error:
            _log.info("a post can't be looked for: %s", error.code)
        await self._settle_planned(planned, message_id)

    async def try_clean_up(self) -> None:
        """Clear posts; those that fail are tried again the next time."""
        await self._bot.wait_until_ready()
        with log_errors("posts could not be cleared"):
            await self.clean_up()

    # --- the list ------------------------------------------------------------------------------

    async def show(self, interaction: discord.Interaction[Any]) -> None:
        """Show a moderator the waiting memories, oldest first.

        The text of a memory from a channel that they can't read is hidden.
        """
        guild = interaction.guild
        if guild is None:
            raise app_commands.NoPrivateMessage
        waiting = await self._app.memory.reviews.waiting(guild.id)
        if not waiting:
            await interaction.followup.send(
                tr(interaction.locale, texts.NOTHING_WAITS), ephemeral=True
            )
            return
        readable = readable_by(guild, interaction.user, interaction.channel)
        view = ReviewPages(self, waiting, readable, interaction)
        await interaction.followup.send(embed=card(view.text), view=view, ephemeral=True)


class ReviewPages(AuthorView):
    """Waiting memories, a few on each page, each with its own two buttons."""

    def __init__(
        self,
        reviews: Reviews,
        waiting: Sequence[WaitingMemory],
        readable: frozenset[int],
        interaction: discord.Interaction[Any],
    ) -> None:
        super().__init__(interaction.user.id)
        self._locale = interaction.locale
        self._reviews = reviews
        self._readable = readable
        self._pages = [
            waiting[start : start + PER_PAGE] for start in range(0, len(waiting), PER_PAGE)
        ]
        self._decisions: dict[int, str] = {}
        self._page = 0
        self._show_buttons()

    @property
    def text(self) -> str:
        """The current page."""
        lines = [tr(self._locale, texts.HEADING), ""]
        for proposal in self._pages[self._page]:
            text = (
                proposal.words
                if proposal.channel_id in self._readable
                else tr(self._locale, texts.HIDDEN)
            )
            decision = self._decisions.get(proposal.memory_id)
            lines.append(decision or memory_line(proposal, text, LINE_LIMIT, self._locale))
        if len(self._pages) > 1:
            pages = len(self._pages)
            lines.append(tr(self._locale, FOOTER, page=self._page + 1, pages=pages))
        return "\n".join(lines)

    async def turn(self, interaction: discord.Interaction[Any], step: int) -> None:
        """Show another page. Raises BadInput if the person is no longer a moderator."""
        if not may_decide(interaction):
            raise BadInput(FOR_MODERATORS)
        self._page = min(max(0, self._page + step), len(self._pages) - 1)
        await interaction.response.defer()
        await self._show(interaction)

    async def decide(
        self, interaction: discord.Interaction[Any], memory_id: int, *, approve: bool
    ) -> None:
        """Carry out a decision, and show the result in place of the memory."""
        await interaction.response.defer()
        review = await self._reviews.decide(interaction, memory_id, approve=approve)
        self._decisions[memory_id] = decision_text(memory_id, review, self._locale)
        await self._show(interaction)
        await self._reviews.try_clean_up()

    async def _show(self, interaction: discord.Interaction[Any]) -> None:
        self._decisions |= await self._reviews.decided(interaction, self._pages[self._page])
        if interaction.guild is not None:
            self._readable = readable_by(interaction.guild, interaction.user, interaction.channel)
        self._show_buttons()
        await interaction.edit_original_response(embed=card(self.text), view=self)

    def _show_buttons(self) -> None:
        self.clear_items()
        if len(self._pages) > 1:
            self.add_item(_PageButton(tr(self._locale, texts.BACK), -1, disabled=self._page == 0))
            last = self._page == len(self._pages) - 1
            self.add_item(_PageButton(tr(self._locale, texts.NEXT), 1, disabled=last))
        for row, proposal in enumerate(self._pages[self._page], 1):
            memory_id = proposal.memory_id
            for approve in (True, False):
                disabled = memory_id in self._decisions
                label = f"{tr(self._locale, LABELS[approve])} #{memory_id}"
                self.add_item(
                    _DecisionButton(memory_id, label, approve=approve, row=row, disabled=disabled)
                )


class _PageButton(discord.ui.Button[ReviewPages]):
    def __init__(self, label: str, step: int, *, disabled: bool) -> None:
        super().__init__(label=label, row=0, disabled=disabled)
        self._step = step

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        if self.view is not None:
            await self.view.turn(interaction, self._step)


class _DecisionButton(discord.ui.Button[ReviewPages]):
    def __init__(
        self, memory_id: int, label: str, *, approve: bool, row: int, disabled: bool
    ) -> None:
        super().__init__(label=label, style=STYLES[approve], row=row, disabled=disabled)
        self._memory_id = memory_id
        self._approve = approve

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        if self.view is not None:
            await self.view.decide(interaction, self._memory_id, approve=self._approve)


def _reviewed(message: discord.Message) -> set[int]:
    """Return the memories that the buttons under a message are about."""
    items = [item for row in message.components for item in getattr(row, "children", ())]
    matches = [_BUTTON_ID.fullmatch(getattr(item, "custom_id", None) or "") for item in items]
    return {int(match["memory_id"]) for match in matches if match}
