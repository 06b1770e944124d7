"""/mode in the terminal, and the names that people type there."""

from cogs.bot.texts import Translate
from cogs.console.ids import GUILD_ID
from utils.common.errors import BadInput
from utils.common.text import clean, clip, one_line
from utils.guilds.settings import GuildSettingsService
from utils.llm import prompts

NAME_LIMIT = 80


async def mode_line(
    guild_settings: GuildSettingsService, arguments: list[str], tr: Translate
) -> str:
    """Show or set how Kith sounds in the made-up server. Raises BadInput for anything else."""
    action, *options = arguments or ["show"]
    modes = ", ".join(prompts.MODES)
    if action == "set":
        name = name_of(options, BadInput("Name a mode: {modes}.", modes=modes))
        settings = await guild_settings.set_mode(GUILD_ID, name)
    elif action == "show":
        settings = await guild_settings.get(GUILD_ID)
    else:
        raise BadInput("There is /mode show and /mode set NAME.")
    return tr("Mode: {mode} (there are {modes}).", mode=settings.mode, modes=modes)


def name_of(arguments: list[str], missing: BadInput) -> str:
    """Return typed words as one clean name. Raises ``missing`` if there is none."""
    name = clip(one_line(clean(" ".join(arguments))), NAME_LIMIT, ellipsis="")
    if not name:
        raise missing
    return name


def channel_name(arguments: list[str]) -> str:
    """Return a typed channel's name without its #. Raises BadInput if there is none."""
    words = clean(" ".join(arguments)).lstrip("# ").split()
    return name_of(words, BadInput("Name a channel, such as :channel general."))
