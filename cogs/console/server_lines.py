"""/mode and /config in the terminal: the settings of the made-up server."""

from cogs.console.ids import GUILD_ID, channel_id
from utils.app import App
from utils.common.errors import BadInput
from utils.common.text import clean, clip, one_line
from utils.llm import prompts
from utils.models.guild import Purpose

NAME_LIMIT = 80
CONFIG_USAGE = (
    "There is /config timezone NAME and /config channel chat|game|log|never "
    "add|remove|list [CHANNEL]."
)


class ServerLines:
    """Runs what a person types after /mode and /config."""

    def __init__(self, app: App) -> None:
        self._settings = app.guilds.settings
        self._names: dict[int, str] = {}

    async def mode(self, arguments: list[str]) -> str:
        """Show or set how Kith sounds."""
        action, *options = arguments or ["show"]
        if action == "set":
            name = name_of(options, f"Name a mode: {', '.join(prompts.modes())}")
            settings = await self._settings.set_mode(GUILD_ID, name)
        elif action == "show":
            settings = await self._settings.get(GUILD_ID)
        else:
            raise BadInput("There is /mode show and /mode set NAME.")
        return f"Mode: {settings.mode} (there are {', '.join(prompts.modes())})."

    async def config(self, arguments: list[str]) -> str:
        """Set the time zone, or list and change the channels of a purpose."""
        match arguments:
            case ["timezone", name]:
                settings = await self._settings.set_time_zone(GUILD_ID, name)
                return f"Time zone: {settings.time_zone}."
            case ["channel", ("chat" | "game" | "log" | "never") as purpose, *action]:
                return await self._channels(purpose, action)
        raise BadInput(CONFIG_USAGE)

    async def _channels(self, purpose: str, action: list[str]) -> str:
        match action:
            case ["list"]:
                settings = await self._settings.get(GUILD_ID)
                channels = settings.channels_for(Purpose(purpose))
                names = [self._names.get(channel.channel_id, "(another)") for channel in channels]
                return f"{purpose} channels: {', '.join(names) or 'none'}."
            case ["add", typed, *topics]:
                name = channel_name([typed])
                await self._settings.add_channel(
                    GUILD_ID, channel_id(name), Purpose(purpose), " ".join(topics)
                )
                self._names[channel_id(name)] = f"#{name}"
                return f"#{name} is now a {purpose} channel."
            case ["remove", typed]:
                name = channel_name([typed])
                if not await self._settings.remove_channel(
                    GUILD_ID, channel_id(name), Purpose(purpose)
                ):
                    raise BadInput(f"#{name} is not a {purpose} channel.")
                return f"#{name} is no longer a {purpose} channel."
        raise BadInput(CONFIG_USAGE)


def name_of(arguments: list[str], missing: str) -> str:
    """Return typed words as one clean name. Raises BadInput with what is missing."""
    name = clip(one_line(clean(" ".join(arguments))), NAME_LIMIT, ellipsis="")
    if not name:
        raise BadInput(f"{missing}.")
    return name


def channel_name(arguments: list[str]) -> str:
    """Return a typed channel's name without its #. Raises BadInput if there is none."""
    words = clean(" ".join(arguments)).lstrip("# ").split()
    return name_of(words, "Name a channel, such as :channel general")
