"""What the log says once after the start: version, model, intents, invite link and dashboard."""

from typing import TYPE_CHECKING

from cogs.bot.permission_check import invite_link
from utils.common.program import VERSION
from utils.files.web_pages import NO_PAGES, can_read_pages

if TYPE_CHECKING:
    from cogs.bot.client import KithClient

NO_MODEL = "model: none is configured, so answers are plain (OPENAI_API_KEY or OPENAI_BASE_URL)"
INTENT = {
    True: "Message Content intent: on",
    False: (
        "Message Content intent: off, so I answer mentions, replies and direct messages only (turn "
        "it on in the Developer Portal, under Bot)"
    ),
}


def start_lines(client: "KithClient") -> list[str]:
    """Return one line for each thing that an operator looks for after a start.

    The dashboard's own line names its address.
    """
    servers = len(client.guilds)
    noun = "server" if servers == 1 else "servers"
    model, settings = client.app.model, client.app.settings
    return [
        f"Kith {VERSION} is ready as {client.user} in {servers} {noun}",
        NO_MODEL if model is None else f"model: {model.chat_model} at {model.host}",
        INTENT[client.has_message_content],
        f"invite: {invite_link(client.application_id or 0)}",
        *([f"links: {NO_PAGES}"] if settings.read_links and not can_read_pages() else []),
        *(
            ["dashboard: off (DASHBOARD_TOKEN turns it on)"]
            if settings.dashboard_token is None
            else []
        ),
    ]
