"""The review queue on Discord: posts whose buttons outlive a restart, and /mod review's pages."""

import asyncio
import logging
import re
from collections.abc import Sequence
from typing import Any, Self

import discord
from discord.ext import commands

from cogs.answering import NO_PINGS, going_on
from cogs.audience import Audiences, open_channels, readable_by
from cogs.error_door import answer_error
from cogs.views import AskersView
from utils.core import Core
from utils.errors import BadInput
from utils.model.guild import Purpose
from utils.model.operator import OPERATOR
from utils.model.policy import Outcome, Posted, Review, Waiting
from utils.text import clip, defuse_mentions, escape_markdown

MOST_UNPOSTED = 1_000
TIDY_EVERY_S = 30.0
PER_PAGE = 4  # memories under one list: Discord shows five rows of buttons, one turns pages
POST_LIMIT, LINE_LIMIT = 1500, 400  # of a memory, as Discord shows it
FOR_MODERATORS = "These buttons are for moderators: they need Manage Server or Manage Messages."
HIDDEN = "(said where you can't read)"
HIDDEN_FROM_SOME = "It was said where not everybody here can read."
NOTHING_WAITS = "No memory waits for approval."
DECIDED = {
    Outcome.WAITING: "Memory `#{id}` still waits.",
    Outcome.APPROVED: "Memory `#{id}`: approved by {by}.",
    Outcome.REJECTED: "Memory `#{id}`: rejected by {by}, and erased.",
    Outcome.CONFIRMED: "Memory `#{id}` was said again and needs no approval any more.",
    Outcome.GONE: "Memory `#{id}` is gone: it was forgotten, or its time was over.",
}
STYLES = {True: discord.ButtonStyle.success, False: discord.ButtonStyle.danger}
LABELS = {True: "Approve", False: "Reject"}
_WORDS = {True: "approve", False: "reject"}

_log = logging.getLogger(__name__)


class ReviewButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"kith:review:(?P<verdict>approve|reject):(?P<memory_id>[0-9]{1,18})",
):
    """One decision under a post; the memory's number in its id is all it needs."""

    def __init__(self, memory_id: int, *, approve: bool) -> None:
        super().__init__(
            discord.ui.Button(
                label=LABELS[approve],
                style=STYLES[approve],
                custom_id=f"kith:review:{_WORDS[approve]}:{memory_id}",
            )
        )
        self._memory_id = memory_id
        self._approve = approve

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction[Any],
        item: discord.ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Self:
        """Make the button anew from what its id says."""
        return cls(int(match["memory_id"]), approve=match["verdict"] == _WORDS[True])

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Let only moderators press."""
        if may_decide(interaction):
            return True
        await interaction.response.send_message(FOR_MODERATORS, ephemeral=True)
        return False

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Carry out the decision, and turn the post into one sentence about it."""
        reviews = interaction.client.get_cog(Reviews.__name__)
        try:
            await interaction.response.defer()
            await reviews.decide_post(interaction, self._memory_id, approve=self._approve)
        except Exception as error:  # discord.py would only log it
            await answer_error(interaction, error)


class Reviews(commands.Cog):
    """Posts what waits into the log channel, carries out decisions, and takes texts away again."""

    def __init__(self, bot: commands.AutoShardedBot, core: Core, audiences: Audiences) -> None:
        self._bot = bot
        self._core = core
        self._audiences = audiences
        self._unposted: asyncio.Queue[tuple[int, int]] = asyncio.Queue(MOST_UNPOSTED)
        self._tasks: list[asyncio.Task[None]] = []

    async def cog_load(self) -> None:
        """Answer the buttons of every post, and begin to post."""
        self._bot.add_dynamic_items(ReviewButton)
        self._core.proposals.listen(self._hear)
        self._tasks = [
            asyncio.create_task(self._post_for_ever(), name="review posts"),
            asyncio.create_task(self._tidy_for_ever(), name="review tidying"),
        ]

    async def cog_unload(self) -> None:
        """Stop; what was not posted waits in /mod review."""
        self._core.proposals.leave(self._hear)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._bot.remove_dynamic_items(ReviewButton)

    # --- posting -------------------------------------------------------------------------------

    def _hear(self, guild_id: int, memory_id: int) -> None:
        if self._unposted.full():
            _log.warning("too many memories wait to be posted; /mod review shows them all")
        else:
            self._unposted.put_nowait((guild_id, memory_id))

    async def _post_for_ever(self) -> None:
        await self._bot.wait_until_ready()
        while True:
            guild_id, memory_id = await self._unposted.get()
            with going_on("a waiting memory was not posted"):
                await self._post(guild_id, memory_id)
            self._unposted.task_done()

    async def _post(self, guild_id: int, memory_id: int) -> None:
        """Show a waiting memory to moderators; where there is no log channel, /mod review does."""
        settings = await self._core.guilds.get(guild_id)
        for place in settings.channels_for(Purpose.LOG):
            one = await self._core.reviews.find(guild_id, memory_id)
            if one is None:
                return
            guild = self._bot.get_guild(guild_id)
            channel = guild.get_channel(place.channel_id) if guild else None
            readers = frozenset[int]()
            if isinstance(channel, discord.abc.Messageable):
                readers = self._audiences.of(channel, settings.base_role_id).sources
            view = discord.ui.View(timeout=None)
            for approve in (True, False):
                view.add_item(ReviewButton(memory_id, approve=approve))
            posted = await self._bot.get_partial_messageable(
                place.channel_id, guild_id=guild_id
            ).send(
                _post_text(one, is_readable=one.channel_id in readers),
                view=view,
                allowed_mentions=NO_PINGS,
                silent=True,
            )
            view.stop()  # the buttons' ids are enough: nothing waits for them here
            await self._core.reviews.note_post(
                Posted(guild_id, memory_id, place.channel_id, posted.id)
            )

    # --- deciding ------------------------------------------------------------------------------

    async def decide(
        self, interaction: discord.Interaction[Any], memory_id: int, *, approve: bool
    ) -> Review:
        """Carry out a moderator's decision. Raises BadInput for somebody else, or when frozen."""
        guild = interaction.guild
        if guild is None or not may_decide(interaction):
            raise BadInput(FOR_MODERATORS)
        settings = await self._core.guilds.get(guild.id)
        return await self._core.keeper.review(
            guild.id,
            memory_id,
            approve,
            interaction.user.id,
            frozenset(open_channels(guild, settings.base_role_id)),
        )

    async def decide_post(
        self, interaction: discord.Interaction[Any], memory_id: int, *, approve: bool
    ) -> None:
        """Carry out a decision made under a post, which loses its text; its press is deferred."""
        review = await self.decide(interaction, memory_id, approve=approve)
        text = decided_in_words(memory_id, review)
        await interaction.edit_original_response(content=text, view=None, allowed_mentions=NO_PINGS)
        if not review.is_new:
            await interaction.followup.send(text, ephemeral=True, allowed_mentions=NO_PINGS)
        if interaction.message is not None:
            here = interaction.message
            await self._core.reviews.close_post(
                Posted(interaction.guild_id or 0, memory_id, here.channel.id, here.id)
            )

    # --- taking texts away ---------------------------------------------------------------------

    async def tidy(self) -> None:
        """Take the text from every post whose memory waits no more, as one forgotten meanwhile."""
        guild_ids = [guild.id for guild in self._bot.guilds]
        for post in await self._core.reviews.stale_posts(guild_ids):
            review = await self._core.reviews.standing(post.guild_id, post.memory_id)
            channel = self._bot.get_partial_messageable(post.channel_id, guild_id=post.guild_id)
            try:
                await channel.get_partial_message(post.message_id).edit(
                    content=decided_in_words(post.memory_id, review),
                    view=None,
                    allowed_mentions=NO_PINGS,
                )
            except (discord.NotFound, discord.Forbidden) as error:
                _log.info("a post can't be edited any more: %s", error.code)
            await self._core.reviews.close_post(post)

    async def try_to_tidy(self) -> None:
        """Tidy, and leave what does not work for the next time."""
        with going_on("posts could not be tidied"):
            await self.tidy()

    async def _tidy_for_ever(self) -> None:
        await self._bot.wait_until_ready()
        while True:
            await self.try_to_tidy()
            await self._core.clock.sleep(TIDY_EVERY_S)

    # --- the list ------------------------------------------------------------------------------

    async def show(self, interaction: discord.Interaction[Any]) -> None:
        """Show a moderator what waits, oldest first, as far as they can read its channel."""
        guild = interaction.guild
        if guild is None:
            raise BadInput("This command only works in a server.")
        waiting = await self._core.reviews.waiting(guild.id)
        if not waiting:
            await interaction.followup.send(NOTHING_WAITS, ephemeral=True)
            return
        view = ReviewPages(self, waiting, readable_by(guild, interaction.user), interaction.user.id)
        await interaction.followup.send(
            view.text, view=view, ephemeral=True, allowed_mentions=NO_PINGS
        )


class ReviewPages(AskersView):
    """What waits, a few memories a page, each with its own two buttons."""

    def __init__(
        self,
        reviews: Reviews,
        waiting: Sequence[Waiting],
        readable: frozenset[int],
        asker_id: int,
    ) -> None:
        super().__init__(asker_id)
        self._reviews = reviews
        self._readable = readable
        self._pages = [
            waiting[start : start + PER_PAGE] for start in range(0, len(waiting), PER_PAGE)
        ]
        self._decided: dict[int, str] = {}
        self._page = 0
        self._show_buttons()

    @property
    def text(self) -> str:
        """The page at hand."""
        lines = ["**Memories that wait for approval**", ""]
        for one in self._pages[self._page]:
            text = one.text if one.channel_id in self._readable else HIDDEN
            lines.append(self._decided.get(one.memory_id) or _line(one, text, LINE_LIMIT))
        if len(self._pages) > 1:
            lines.append(f"-# Page {self._page + 1} of {len(self._pages)}")
        return "\n".join(lines)

    async def turn(self, interaction: discord.Interaction[Any], by: int) -> None:
        """Turn some pages on, or back."""
        self._page = min(max(0, self._page + by), len(self._pages) - 1)
        await interaction.response.defer()
        await self._show(interaction)

    async def decide(
        self, interaction: discord.Interaction[Any], memory_id: int, *, approve: bool
    ) -> None:
        """Carry out a decision, and show it in the list in the memory's place."""
        await interaction.response.defer()
        review = await self._reviews.decide(interaction, memory_id, approve=approve)
        self._decided[memory_id] = decided_in_words(memory_id, review)
        await self._show(interaction)
        await self._reviews.try_to_tidy()

    async def _show(self, interaction: discord.Interaction[Any]) -> None:
        self._show_buttons()
        await interaction.edit_original_response(
            content=self.text, view=self, allowed_mentions=NO_PINGS
        )

    def _show_buttons(self) -> None:
        self.clear_items()
        if len(self._pages) > 1:
            self.add_item(_Turn("Back", -1, disabled=self._page == 0))
            last = self._page == len(self._pages) - 1
            self.add_item(_Turn("Next", 1, disabled=last))
        for row, one in enumerate(self._pages[self._page], 1):
            for approve in (True, False):
                disabled = one.memory_id in self._decided
                self.add_item(_Decide(one.memory_id, approve=approve, row=row, disabled=disabled))


class _Turn(discord.ui.Button[ReviewPages]):
    def __init__(self, label: str, by: int, *, disabled: bool) -> None:
        super().__init__(label=label, row=0, disabled=disabled)
        self._by = by

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        if self.view is not None:
            await self.view.turn(interaction, self._by)


class _Decide(discord.ui.Button[ReviewPages]):
    def __init__(self, memory_id: int, *, approve: bool, row: int, disabled: bool) -> None:
        label = f"{LABELS[approve]} #{memory_id}"
        super().__init__(label=label, style=STYLES[approve], row=row, disabled=disabled)
        self._memory_id = memory_id
        self._approve = approve

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        if self.view is not None:
            await self.view.decide(interaction, self._memory_id, approve=self._approve)


def may_decide(interaction: discord.Interaction[Any]) -> bool:
    """Whether whoever pressed is a moderator here."""
    mine = interaction.permissions
    return interaction.guild_id is not None and (mine.manage_guild or mine.manage_messages)


def decided_in_words(memory_id: int, review: Review) -> str:
    """Say how a memory stands, and who decided; nothing of its words."""
    who = review.moderator_id
    by = "my operator" if who == OPERATOR else f"<@{who}>"
    return DECIDED[review.outcome].format(id=memory_id, by=by)


def _post_text(one: Waiting, *, is_readable: bool) -> str:
    if is_readable:
        return f"A memory waits for approval:\n{_line(one, one.text, POST_LIMIT)}"
    return (
        f"A memory of <@{one.member.user_id}> waits for approval (`#{one.memory_id}`). "
        f"{HIDDEN_FROM_SOME}"
    )


def _line(one: Waiting, text: str, limit: int) -> str:
    words = clip(escape_markdown(defuse_mentions(text)), limit, at_word=True)
    notes = f"{one.kind}, {one.confidence:.0%} sure"
    return f"`#{one.memory_id}` <@{one.member.user_id}>: {words} *({notes})*"
