"""One-time links to the web pages of a member or a moderator."""

from typing import TYPE_CHECKING, Any

import discord

from cogs.bot.interactions import say, server_of
from cogs.bot.localisation import tr
from utils.common.errors import BadInput
from utils.models.memory import Member

if TYPE_CHECKING:
    from cogs.dashboard.server import Dashboard

IN_BROWSER = "Open in the browser"


def web_pages(interaction: discord.Interaction[Any]) -> "Dashboard | None":
    """Return the dashboard, which makes links to people's own pages; None if there are none."""
    pages: Any = interaction.client.get_cog("Dashboard")
    return pages if pages is not None and pages.has_visits else None


async def send_moderator_link(interaction: discord.Interaction[Any]) -> None:
    """Send a moderator a link to the pages of their server. Raises BadInput if there are none."""
    pages = web_pages(interaction)
    if pages is None:
        raise BadInput(
            "There are no such pages here: my operator has not set `DASHBOARD_PUBLIC_URL`."
        )
    moderator = Member(server_of(interaction), interaction.user.id)
    await send_link(
        interaction,
        pages.visit_link(moderator, is_moderator=True),
        "This link opens a page with this server's settings, once and within 15 minutes; the "
        "visit lasts half an hour. It is only for you: whoever opens it changes settings as you.",
    )


async def send_link(interaction: discord.Interaction[Any], link: str, text: str) -> None:
    """Send a link, with a text about it, to the person who asked; the interaction is deferred."""
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label=tr(interaction.locale, "Open your page"), url=link))
    view.stop()
    await say(interaction, tr(interaction.locale, text), view=view)
