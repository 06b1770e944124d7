"""What the terminal says first: what this is, what to type, which model answers, where data is."""

from urllib.parse import urlsplit

from utils.common.config import Settings
from utils.common.program import as_called

NO_MODEL_NOTICE = (
    "No language model is configured (`python bot.py setup` adds one): answers are plain, and I "
    "understand simple statements about yourself. Memory works as usual."
)
NO_MODEL_LINE = "No language model: answers are built in. `python bot.py setup` adds one."


def first_screen(settings: Settings, name: str, memory_count: int) -> list[str]:
    """Return the first lines, at most seven; ``memory_count``: memories about the speaker."""
    if memory_count:
        things = "1 thing" if memory_count == 1 else f"{memory_count} things"
        greeting = f"Welcome back, {name}! I know {things} about you: /memory show lists them."
        hint = "Ask me: what do you know about me?   :help shows everything else, Ctrl-D leaves."
    else:
        greeting = "Hello! I'm Kith. I remember what you tell me about yourself."
        hint = (
            "Try: Hi! My name is Sam and I live in Lisbon.  Then ask: where do I live?\n"
            ":help shows everything else, Ctrl-D leaves."
        )
    return [greeting, hint, model_line(settings), data_line(settings)]


def model_line(settings: Settings) -> str:
    """Return which language model answers, or that none does and how to choose one."""
    if not settings.has_model:
        return as_called(NO_MODEL_LINE)
    model = settings.models_of(settings.chat_model)[0]
    addresses = settings.model_endpoints or {}
    base_url = addresses.get(model.endpoint, settings.openai_base_url)
    place = "api.openai.com" if base_url is None else urlsplit(str(base_url)).netloc
    return f"Answers come from the language model {model.name} at {place}."


def data_line(settings: Settings) -> str:
    """Return where memory is kept."""
    if not settings.database_url.startswith("sqlite"):
        return "What you tell me is kept in the SQL Server database of DATABASE_URL."
    file = settings.database_url.removeprefix("sqlite:///").removeprefix("file:")
    return f"What you tell me is kept in {file.partition('?')[0]}, on this computer only."
