"""The review queue on Discord: posts with persistent buttons, and the pages of /mod review."""

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from typing import Any

import discord

from cogs.bot.audience import readable_by
from cogs.bot.client import KithClient
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import guild_of, log_errors, respond, say, server_of
from cogs.bot.localisation import tr
from cogs.bot.views import ActionButton, Pages
from cogs.memory.memory_text import FOOTER
from cogs.moderation import review_texts as texts
from cogs.moderation.review_buttons import (
    LABELS,
    SENTENCE,
    STYLES,
    ReviewButton,
    SentenceButton,
    check_may_decide,
)
from cogs.moderation.review_posts import ReviewPosts
from cogs.moderation.review_texts import LINE_LIMIT, decision_text, memory_line
from utils.models.memory import Memory
from utils.models.policy import Review

MAX_UNPOSTED = 1_000
CLEANUP_EVERY_S = 30.0
PER_PAGE = 4  # memories under one list: Discord shows five rows of buttons, one turns pages

_log = logging.getLogger(__name__)


class Reviews(FeatureCog):
    """Has waiting memories posted to the log channel, and carries out decisions."""

    buttons = (ReviewButton, SentenceButton)

    def __init__(self, bot: KithClient) -> None:
        super().__init__(bot)
        self._unposted: asyncio.Queue[int] = asyncio.Queue(MAX_UNPOSTED)  # by server
        self.posts = ReviewPosts(bot, self._app.memory.reviews)
        self.workers = (
            self._new_worker("review posts", self._post_next, interval_s=0.0),
            self._new_worker(
                "review cleanup",
                self.posts.try_clean_up,
                interval_s=CLEANUP_EVERY_S,
            ),
        )
        # Memories that were not posted when it stops are in /mod review.
        self.listeners = ((self._app.memory.signals.proposals, self._enqueue),)

    # --- posting -------------------------------------------------------------------------------

    def _enqueue(self, guild_id: int, memory_ids: Sequence[int]) -> None:
        if self._unposted.full():
            _log.warning("too many memories wait to be posted; /mod review shows them all")
        elif memory_ids:
            self._unposted.put_nowait(guild_id)

    async def _post_next(self) -> None:
        await self._bot.wait_until_ready()
        guild_id = await self._unposted.get()
        with log_errors("a waiting memory was not posted"):
            await self.posts.show_waiting(guild_id)
        self._unposted.task_done()

    # --- deciding ------------------------------------------------------------------------------

    async def decide(
        self, interaction: discord.Interaction[Any], memory_id: int, *, approve: bool
    ) -> Review:
        """Carry out a moderator's decision.

        Raises BadInput if the user is not a moderator, and while the server is frozen.
        """
        check_may_decide(interaction)
        guild = guild_of(interaction)
        settings = await self._app.guilds.settings.get(guild.id)
        return await self._app.memory.editor.review(
            guild.id,
            memory_id,
            approve,
            interaction.user.id,
            self._bot.audiences.open_channels(guild, settings),
        )

    async def decide_post(
        self, interaction: discord.Interaction[Any], memory_id: int, *, approve: bool
    ) -> None:
        """Carry out a decision made under a post, which then shows it and what still waits."""
        review = await self.decide(interaction, memory_id, approve=approve)
        post = interaction.message
        if post is None:
            return
        await self.posts.show_decision(interaction, post, memory_id)
        if not review.is_new:
            await say(interaction, decision_text(memory_id, review, interaction.locale))

    async def decided(
        self, interaction: discord.Interaction[Any], proposals: Sequence[Memory]
    ) -> dict[int, str]:
        """Return what became of those memories that no longer wait, by id, without their texts."""
        guild_id = interaction.guild_id or 0
        waiting = {proposal.id for proposal in await self._app.memory.reviews.waiting(guild_id)}
        return {
            proposal.id: decision_text(
                proposal.id,
                await self._app.memory.reviews.standing(guild_id, proposal.id),
                interaction.locale,
            )
            for proposal in proposals
            if proposal.id not in waiting
        }

    # --- the list ------------------------------------------------------------------------------

    async def show(self, interaction: discord.Interaction[Any]) -> None:
        """Show a moderator the waiting memories, oldest first.

        The text of a memory from a channel that they can't read is hidden.
        """
        waiting = await self._app.memory.reviews.waiting(server_of(interaction))
        if waiting:
            await ReviewPages(self, waiting, interaction).send(interaction)
        else:
            await respond(interaction, "No memory waits for approval.")


class ReviewPages(Pages):
    """Waiting memories, a few on each page, each with its own two buttons."""

    def __init__(
        self, reviews: Reviews, waiting: Sequence[Memory], interaction: discord.Interaction[Any]
    ) -> None:
        self._locale = interaction.locale
        self._reviews = reviews
        self._waiting = [
            waiting[start : start + PER_PAGE] for start in range(0, len(waiting), PER_PAGE)
        ]
        self._decisions: dict[int, str] = {}
        labels = (texts.BACK, texts.NEXT)
        super().__init__(interaction, self._texts(interaction), self._load_texts, labels)

    def _texts(self, interaction: discord.Interaction[Any]) -> list[str]:
        """Return the pages, with decisions in place of memories."""
        readable = readable_by(guild_of(interaction), interaction.user, interaction.channel)
        pages = []
        for number, proposals in enumerate(self._waiting, 1):
            lines = [tr(self._locale, texts.HEADING), ""]
            for proposal in proposals:
                is_readable = proposal.channel_id in readable
                text = proposal.text if is_readable else tr(self._locale, texts.HIDDEN)
                decision = self._decisions.get(proposal.id)
                lines.append(decision or memory_line(proposal, text, LINE_LIMIT, self._locale))
            if len(self._waiting) > 1:
                lines.append(tr(self._locale, FOOTER, page=number, pages=len(self._waiting)))
            pages.append("\n".join(lines))
        return pages

    async def _load_texts(self, interaction: discord.Interaction[Any]) -> list[str]:
        check_may_decide(interaction)
        proposals = [
            proposal
            for page in self._waiting
            for proposal in page
            if proposal.id not in self._decisions
        ]
        self._decisions |= await self._reviews.decided(interaction, proposals)
        return self._texts(interaction)

    async def decide(
        self, interaction: discord.Interaction[Any], memory_id: int, *, approve: bool
    ) -> None:
        """Carry out a decision, and show the result in place of the memory."""
        await interaction.response.defer()
        review = await self._reviews.decide(interaction, memory_id, approve=approve)
        self._decisions[memory_id] = decision_text(memory_id, review, self._locale)
        await self._redraw(interaction)
        await self._reviews.posts.try_clean_up()

    def _show_buttons(self) -> None:
        super()._show_buttons()
        for row, proposal in enumerate(self._waiting[self._page], 1):
            memory_id = proposal.id
            for verdict, style in STYLES.items():
                label = f"{tr(self._locale, LABELS[verdict])} #{memory_id}"
                decide = partial(self.decide, memory_id=memory_id, approve=verdict == "approve")
                self.add_item(
                    ActionButton(
                        decide,
                        label=label,
                        style=style,
                        row=row,
                        disabled=memory_id in self._decisions,
                    )
                )
            if memory_id not in self._decisions:
                press = SentenceButton(memory_id).press
                self.add_item(ActionButton(press, label=tr(self._locale, SENTENCE), row=row))
