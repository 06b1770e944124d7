"""The buttons under a waiting memory's post: *Approve*, *Reject*, and *Sentence*."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import discord

from cogs.bot.audience import readable_by
from cogs.bot.interactions import say
from cogs.bot.localisation import ENGLISH, tr
from cogs.bot.views import PersistentButton, persistent_view
from cogs.moderation import review_texts as texts
from utils.app import App
from utils.common.errors import BadInput
from utils.models.memory import Memory

if TYPE_CHECKING:
    from cogs.moderation.review import Reviews

FOR_MODERATORS = "These buttons are for moderators: they need Manage Server or Manage Messages."
STYLES = {"approve": discord.ButtonStyle.success, "reject": discord.ButtonStyle.danger}
SENTENCE = "Sentence"
LABELS = {"approve": "Approve", "reject": "Reject"}
_BUTTON_ID = re.compile(r"kith:review:(?P<verdict>approve|reject):(?P<memory_id>[0-9]{1,18})")
_SENTENCE_ID = re.compile(r"kith:review:sentence:(?P<memory_id>[0-9]{1,18})")


class ReviewButton(
    PersistentButton[discord.ui.Button[Any]],
    template=_BUTTON_ID,
):
    """*Approve* or *Reject* under a post; its custom id holds the memory's number."""

    def __init__(
        self,
        verdict: str,
        memory_id: int,
        locale: discord.Locale = ENGLISH,
        suffix: str = "",
        row: int = 0,
    ) -> None:
        super().__init__(
            discord.ui.Button(
                label=tr(locale, LABELS[verdict]) + suffix,
                row=row,
                style=STYLES[verdict],
                custom_id=f"kith:review:{verdict}:{memory_id}",
            )
        )
        self._memory_id = memory_id
        self._approve = verdict == "approve"

    async def press(self, interaction: discord.Interaction[Any]) -> None:
        """Carry out the decision, and replace the post by one sentence about it."""
        check_may_decide(interaction)
        reviews: Reviews = interaction.client.get_cog("Reviews")
        await interaction.response.defer()
        await reviews.decide_post(interaction, self._memory_id, approve=self._approve)


class SentenceButton(PersistentButton[discord.ui.Button[Any]], template=_SENTENCE_ID):
    """Shows the memory and its sentence, with a link, to the person who pressed, and nobody else.

    Whether they can read the channel where it was said is decided at each press.
    """

    def __init__(self, memory_id: int, locale: discord.Locale = ENGLISH, row: int = 0) -> None:
        custom_id = f"kith:review:sentence:{memory_id}"
        button: discord.ui.Button[Any] = discord.ui.Button(
            label=tr(locale, SENTENCE), custom_id=custom_id, row=row
        )
        super().__init__(button)
        self._memory_id = memory_id

    async def press(self, interaction: discord.Interaction[Any]) -> None:
        """Show the sentence, or say why it is not shown."""
        check_may_decide(interaction)
        await interaction.response.defer(ephemeral=True, thinking=True)
        text = await self._text(interaction, interaction.client.app)
        await say(interaction, text)

    async def _text(self, interaction: discord.Interaction[Any], app: App) -> str:
        guild, locale = interaction.guild, interaction.locale
        if guild is None:
            raise BadInput(FOR_MODERATORS)
        memory = await app.memory.reviews.find(guild.id, self._memory_id)
        if memory is None:
            review = await app.memory.reviews.standing(guild.id, self._memory_id)
            return texts.decision_text(self._memory_id, review, locale)
        readable = readable_by(guild, interaction.user, interaction.channel)
        source = (await app.memory.reviews.sources([memory])).get(memory.id)
        places = {memory.channel_id} if source is None else {memory.channel_id, source.channel_id}
        if not {_source_of(guild, place) for place in places} <= readable:
            return tr(
                locale,
                "You can't read the channel where this was said, or it is age-restricted, so I "
                "don't show it.",
            )
        return texts.sentence_text(memory, source, locale)


def _source_of(guild: discord.Guild, channel_id: int) -> int:
    """Return the channel whose readers read a channel: the parent of a public thread."""
    thread = guild.get_thread(channel_id)
    return channel_id if thread is None or thread.is_private() else thread.parent_id


def check_may_decide(interaction: discord.Interaction[Any]) -> None:
    """Raise BadInput unless a moderator of this server pressed."""
    granted = interaction.permissions
    if interaction.guild_id is None or not (granted.manage_guild or granted.manage_messages):
        raise BadInput(FOR_MODERATORS)


def post_buttons(waiting: Sequence[Memory], locale: discord.Locale) -> discord.ui.View | None:
    """Return the buttons under a post, a row for each memory; None without any."""
    items: list[PersistentButton[Any]] = []
    for row, memory in enumerate(waiting):
        id_ = memory.id
        suffix = f" #{id_}" if len(waiting) > 1 else ""
        items += [ReviewButton(verdict, id_, locale, suffix, row) for verdict in LABELS]
        items.append(SentenceButton(id_, locale, row))
    return persistent_view(items) if items else None


def reviewed_ids(message: discord.Message) -> set[int]:
    """Return the memories that the buttons under a message are about."""
    items = [item for row in message.components for item in getattr(row, "children", ())]
    matches = [_BUTTON_ID.fullmatch(getattr(item, "custom_id", None) or "") for item in items]
    return {int(match["memory_id"]) for match in matches if match}
