"""The questions of ``/config baserole``: which other roles' members all have the base role."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import discord

from cogs.bot.audience import opening_roles
from cogs.bot.interactions import NO_PINGS
from cogs.bot.localisation import tr
from cogs.bot.views import ActionButton, AuthorView
from utils.app import App
from utils.common.errors import BadInput

MAX_QUESTIONS = 25
YES, NO, STOP = "Yes", "No", "Stop"


def check_base_role(role: discord.Role) -> None:
    """Raise BadInput for a role that cannot be the base role."""
    if role.is_bot_managed():
        raise BadInput(
            "No member can have {role}: it belongs to a bot. Choose a role of members.",
            role=role.mention,
        )
    if role.permissions.administrator:
        raise BadInput(
            "{role} can do everything anyway. Choose a role that every ordinary member has.",
            role=role.mention,
        )


def roles_to_ask(guild: discord.Guild, base: discord.Role) -> list[discord.Role]:
    """Return the roles that let members into channels, those of most channels first."""
    opened = opening_roles(guild)
    chosen = [
        role
        for role in guild.roles
        if opened[role.id]
        and role not in (guild.default_role, base)
        and not (role.is_bot_managed() or role.permissions.administrator)
    ]
    return sorted(chosen, key=lambda role: (-opened[role.id], -role.position))[:MAX_QUESTIONS]


def implied_in_words(
    locale: discord.Locale, guild: discord.Guild, base: discord.Role, implied_ids: Sequence[int]
) -> str:
    """Return which roles imply the base role."""
    roles = [role.mention for role in map(guild.get_role, implied_ids) if role is not None]
    if not roles:
        return tr(
            locale,
            "No other role counts as having {base}. What was said in channels of {base} is used "
            "only where everyone who can read also has {base}.",
            base=base.mention,
        )
    return tr(
        locale,
        "Everyone with one of these roles also has {base}: {roles}.",
        base=base.mention,
        roles=", ".join(roles),
    )


class ImpliedRoleQuestions(AuthorView):
    """Asks role by role; what is not answered stays as it was, at first *No*."""

    def __init__(
        self,
        app: App,
        interaction: discord.Interaction[Any],
        base: discord.Role,
        roles: Sequence[discord.Role],
    ) -> None:
        super().__init__(interaction.user.id, for_moderators=True)
        self._app = app
        self._base = base
        self._roles = list(roles)
        self._asked = 0
        primary, secondary = discord.ButtonStyle.primary, discord.ButtonStyle.secondary
        for label, act, style in (
            (YES, partial(self._answer, is_implied=True), secondary),
            (NO, partial(self._answer, is_implied=False), primary),
            (STOP, self._stop, secondary),
        ):
            self.add_item(ActionButton(act, label=tr(interaction.locale, label), style=style))

    def text(self, locale: discord.Locale) -> str:
        """Return the question about the current role."""
        return tr(
            locale,
            "**{number} of {count}:** Does everyone with {role} also have {base}? Only then may I "
            "use in channels of {role} what was said in channels of {base}. If you are not sure, "
            "press *No*.",
            number=self._asked + 1,
            count=len(self._roles),
            role=self._roles[self._asked].mention,
            base=self._base.mention,
        )

    async def _stop(self, interaction: discord.Interaction) -> None:
        """Leave the remaining roles as they are."""
        await interaction.response.defer()
        await self._finish(interaction)

    async def _answer(self, interaction: discord.Interaction, *, is_implied: bool) -> None:
        await interaction.response.defer()
        await self._app.guilds.settings.set_implied_role(
            self._base.guild.id,
            self._base.id,
            self._roles[self._asked].id,
            is_implied=is_implied,
            actor_id=interaction.user.id,
        )
        self._asked += 1
        if self._asked == len(self._roles):
            await self._finish(interaction)
            return
        await interaction.edit_original_response(
            content=self.text(interaction.locale), view=self, allowed_mentions=NO_PINGS
        )

    async def _finish(self, interaction: discord.Interaction) -> None:
        self.stop()
        guild = self._base.guild
        settings = await self._app.guilds.settings.get(guild.id)
        text = implied_in_words(interaction.locale, guild, self._base, settings.implied_role_ids)
        await interaction.edit_original_response(content=text, view=None, allowed_mentions=NO_PINGS)
