"""The buttons under a question whether to forget something: *Forget* or a number, and *Keep*."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Self

import discord
from numpy import base_repr

from cogs.bot.interactions import home_of, say
from cogs.bot.localisation import ENGLISH, tr
from cogs.bot.views import PersistentButton, persistent_view
from utils.app import App
from utils.common.errors import BadInput
from utils.models.conversation import Answer, Target, TargetKind
from utils.models.memory import Member

FORGET, ALL, KEEP = "Forget", "All of them", "Keep"
FORGOTTEN = {True: "Forgotten, for good.", False: "That was forgotten already."}
MAX_ID_LENGTH = 100  # by Discord
_BUTTON_ID = re.compile(
    r"kith:forget:(?P<user_id>[0-9A-Z]{1,13}):(?P<until>[0-9A-Z]{1,8})(?P<goes>\+?):"
    r"(?P<targets>(?:[#mp*][0-9A-Z]{1,13})*)",
    re.IGNORECASE,
)
# The digits are capitals: "m" and "p" are kinds of targets. Ids of old posts are in lower case.
_TARGET = re.compile(r"([#mp*])([0-9A-Z]{1,13})")


class ForgetButton(PersistentButton[discord.ui.Button[Any]], template=_BUTTON_ID):
    """One choice under a question; its id holds what it erases, for whom, and until when.

    Without targets it is *Keep*. ``goes``: the message that asked says nothing else, and is erased
    as well.
    """

    def __init__(
        self,
        user_id: int,
        until: datetime,
        targets: Sequence[Target],
        label: str = KEEP,
        locale: discord.Locale = ENGLISH,
        *,
        goes: bool = False,
    ) -> None:
        numbers = [f"{target.kind}{base_repr(target.id, 36)}" for target in targets]
        lapses = base_repr(int(until.timestamp()), 36) + "+" * goes
        custom_id = f"kith:forget:{base_repr(user_id, 36)}:{lapses}:{''.join(numbers)}"
        if len(custom_id) > MAX_ID_LENGTH:
            raise ValueError("too many targets for a button")
        super().__init__(
            discord.ui.Button(
                label=tr(locale, label) if not label.isdecimal() else label,
                style=discord.ButtonStyle.danger if targets else discord.ButtonStyle.secondary,
                custom_id=custom_id,
            )
        )
        self._user_id = user_id
        self._until = until
        self._targets = targets
        self._goes = goes

    @classmethod
    def of_match(cls, match: re.Match[str]) -> Self:
        """Return the button of a custom id, whose numbers are in base 36."""
        targets = [
            Target(TargetKind(kind), int(number, 36))
            for kind, number in _TARGET.findall(match["targets"])
        ]
        is_old = match["until"].islower()  # its targets can't be told apart: it has lapsed
        until = datetime.fromtimestamp(0 if is_old else int(match["until"], 36), UTC)
        return cls(int(match["user_id"], 36), until, targets, goes=bool(match["goes"]))

    async def press(self, interaction: discord.Interaction[Any]) -> None:
        """Carry out the choice, take the buttons away, and tell the member what came of it.

        Raises BadInput unless the member whom the question asks pressed.
        """
        if interaction.user.id != self._user_id:
            raise BadInput("Only the person whose memory this is can answer that.")
        app: App = interaction.client.app
        await interaction.response.edit_message(view=None)
        if app.clock.now() >= self._until:
            sentence = "That question has lapsed after ten minutes; nothing was forgotten."
        elif not self._targets:
            sentence = "Nothing was forgotten."
        else:
            member = Member(home_of(interaction), self._user_id)
            reference = interaction.message and interaction.message.reference
            message_id = reference.message_id if self._goes and reference else None
            asked_in = [] if message_id is None else [message_id]
            count = await app.conversation.tools.forget(member, self._targets, asked_in)
            sentence = FORGOTTEN[count > 0]
        await say(interaction, tr(interaction.locale, sentence))


def question_buttons(
    answer: Answer, user_id: int, locale: discord.Locale
) -> discord.ui.View | None:
    """Return the buttons under an answer that asks before it forgets; None for any other."""
    question = answer.question
    if question is None:
        return None
    numbers = [str(number) for number in range(1, len(question.options))]
    labels = [*numbers, ALL] if numbers else [FORGET]
    choices = zip(labels, question.options, strict=True)
    return persistent_view(
        [
            *(
                ForgetButton(
                    user_id,
                    question.until,
                    targets,
                    label,
                    locale,
                    goes=bool(question.message_ids),
                )
                for label, targets in choices
            ),
            ForgetButton(user_id, question.until, (), KEEP, locale),
        ]
    )
