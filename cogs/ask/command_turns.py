"""Make a :class:`Turn` of a question that was asked with a command: who reads the answer, and where
both are stored.

In a server, a public answer is treated as one in chat. A private answer belongs to a channel that
exists only in the database: its id is the person's, and only they read it. Questions from
age-restricted channels have a second such channel, which is used only in age-restricted channels.
In a server without Kith, and in other people's direct messages, it is as if they had asked in their
direct messages with Kith.
"""

from dataclasses import dataclass, replace

import discord

from cogs.bot.audience import (
    is_age_restricted,
    is_narrower,
    place_ids,
    readable_by,
    source_id_of,
)
from cogs.bot.client import KithClient
from cogs.bot.interactions import home_of
from cogs.bot.messages import name_of, place_text
from cogs.chat.turns import TurnBuilder
from utils.models.conversation import Turn
from utils.models.guild import GuildSettings
from utils.models.memory import DIRECT_MESSAGES, NO_MESSAGE, Audience, Event, Member, Role
from utils.models.recall import Person

AGE_RESTRICTED = 1 << 62  # added to a person's id; Discord's ids are lower until 2049


@dataclass(frozen=True, slots=True)
class CommandQuestion:
    """A question asked with a command.

    Attributes:
        is_private: only the person sees the answer.
        about: the message that it is about, if any.
    """

    interaction: discord.Interaction
    text: str
    is_private: bool
    about: discord.Message | None

    @property
    def member(self) -> Member:
        """Who asks, and whose data it concerns."""
        return Member(home_of(self.interaction), self.interaction.user.id)

    @property
    def is_in_server(self) -> bool:
        """Whether it is asked in a server that Kith is a member of."""
        return self.member.guild_id != DIRECT_MESSAGES


def is_with_kith(interaction: discord.Interaction) -> bool:
    """Return whether a command was used in the person's direct messages with Kith."""
    return interaction.guild_id is None and not interaction.context.private_channel


@dataclass(eq=False, repr=False)
class CommandTurnBuilder:
    """Makes turns of questions that were asked with commands."""

    _bot: KithClient
    _turns: TurnBuilder

    async def build(self, question: CommandQuestion, settings: GuildSettings) -> Turn:
        """Return a question with everything that its answer depends on."""
        interaction, member = question.interaction, question.member
        audience = await self._audience(question, settings)
        channel = interaction.channel if question.is_in_server else None
        source_id = audience.channel_id
        if question.is_in_server and not question.is_private:
            source_id = source_id_of(interaction.channel)  # type: ignore[arg-type]
        name = getattr(channel, "name", "")
        people = [Person(member.user_id, name_of(interaction.user))]
        about = question.about
        if about is not None and question.is_in_server and not about.author.bot:
            people.append(Person(about.author.id, name_of(about.author)))
        turn = Turn(
            event=Event(
                guild_id=member.guild_id,
                channel_id=audience.channel_id,
                source_id=source_id,
                message_id=interaction.id,
                author_id=member.user_id,
                author_name=name_of(interaction.user),
                role=Role.MEMBER,
                text=question.text.strip(),
                created_at=interaction.created_at,
                reply_to_id=None if about is None else about.id,
                revision=NO_MESSAGE,
            ),
            audience=audience,
            people=tuple(dict.fromkeys(people)),
            settings=settings,
            channel_topics=() if channel is None else settings.topics_of(source_id, name),
            quoted=None if about is None else self._turns.quote(about),
            target_ids=frozenset({person.user_id for person in people}),
            place_ids=() if channel is None else place_ids(channel),
            age_restricted=is_age_restricted(channel),
            place=place_text(channel),
            joined_at=getattr(interaction.user, "joined_at", None),
        )
        if about is None:
            beside = await self._turns.beside([question.text], channel, turn)
            turn = replace(turn, quoted=beside)
        return await self._turns.with_named(turn)

    def may_hear(self, question: CommandQuestion, turn: Turn) -> bool:
        """Return whether all who read the answer now may hear what a turn recalled."""
        interaction = question.interaction
        guild, channel = interaction.guild, interaction.channel
        if not question.is_in_server or guild is None:
            return True
        if not question.is_private:
            return self._bot.audiences.may_still_hear(
                turn.audience,
                channel,  # type: ignore[arg-type]
                turn.settings,
                age_restricted=turn.age_restricted,
            )
        return not is_narrower(_alone(interaction, guild), turn.audience, guild)

    async def _audience(self, question: CommandQuestion, settings: GuildSettings) -> Audience:
        """Return who reads the answer.

        Raises discord's errors if the person's direct messages with Kith cannot be looked up.
        """
        interaction = question.interaction
        guild, channel = interaction.guild, interaction.channel
        if not question.is_in_server or guild is None:
            direct = channel if is_with_kith(interaction) else await interaction.user.create_dm()
            return self._bot.audiences.of(direct)  # type: ignore[arg-type]
        if question.is_private:
            return _alone(interaction, guild)
        await self._bot.audiences.learn_members(channel, settings)  # type: ignore[arg-type]
        return self._bot.audiences.of(channel, settings)  # type: ignore[arg-type]


def _alone(interaction: discord.Interaction, guild: discord.Guild) -> Audience:
    """Return the audience of an answer in a server that only the person who asked sees."""
    person_id, channel = interaction.user.id, interaction.channel
    own_id = person_id + (AGE_RESTRICTED if is_age_restricted(channel) else 0)
    readable = readable_by(guild, interaction.user, channel)
    return Audience(guild.id, own_id, readable | {person_id, own_id})
