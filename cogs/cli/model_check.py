"""Check the models for `doctor` and `setup`: each role makes the call that it makes at work."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from utils.charts.png import to_png
from utils.charts.shapes import Drawing
from utils.common.config import Settings
from utils.common.errors import (
    KithError,
    ModelError,
    ModelMalformed,
    ModelUnreachable,
    SettingsError,
)
from utils.conversation.tool_definitions import memory_tool
from utils.llm import prompts
from utils.llm.client import LanguageModel
from utils.llm.endpoint import address_with_v1, is_slow
from utils.memory.attachments.captioning import PICTURE_TOOL
from utils.memory.extraction import llm_extractor
from utils.memory.verification import model_verifier
from utils.models.llm import ChatMessage, ModelEntry, Picture, Usage

ANSWER_TOKENS = 200
RED, RED_SQUARE = "#ff0000", Drawing(64, 64, ())
MODEL_AWAY = (
    "nothing answers there; check OPENAI_BASE_URL in .env, this machine's network, and that the "
    "model server runs"
)
UNREADABLE = (
    "as {setting}, it wrote neither a tool call nor JSON that can be read; choose another model"
)
TOO_SLOW = (
    "as {setting}, it took longer than {limit}={seconds:g} seconds; raise that in .env (up to "
    "600), or choose a faster model"
)
NO_CALL = (
    "did NOT call the tool it was asked to call, so nobody can have something remembered or "
    "forgotten in its answers: the server may drop `tools` (llama.cpp: start it with --jinja and a "
    "chat template that knows tools)"
)
NO_SYSTEM_MESSAGE = (
    ", but did NOT say what only the system message told it: the server may drop system messages, "
    "and with them what Kith is and remembers (NeMo Guardrails does without passthrough: true)"
)
QUESTION = (
    ChatMessage("system", "The cat of the person who asks is called Momo."),
    ChatMessage("user", "What is my cat called? Answer in one sentence."),
)
WISH = "Please remember that my cat is called Momo: call the tool for it now."
EXTRACTION = (
    "NOW Wednesday, 2026-03-11 12:00 (UTC)",
    "p1 = Mira",
    "KNOWN",
    "BEFORE",
    "SAID",
    "s1: My cat is called Momo, and I work as a nurse in Leeds.",
)
TRUE_NOTE, FALSE_NOTE = "n1", "n2"
VERIFICATION = (
    "TODAY Wednesday, 2026-03-11",
    "SAID",
    "s1: My cat is called Momo.",
    f"  {TRUE_NOTE} has a cat called Momo",
    f"  {FALSE_NOTE} has a dog called Rex",
)

Call = Callable[[LanguageModel, str], Awaitable[tuple[str, Usage]]]


async def check_model(model: LanguageModel, settings: Settings) -> str:
    """Return which models answered, and below it how each did in its role.

    Raises KithError that says for each model that does not work what to change.
    """
    roles: list[tuple[str, str, Call]] = [
        ("CHAT_MODEL", model.chat_model, _answer),
        ("TRIAGE_MODEL", model.triage_model, _extract),
        ("VERIFY_MODEL", model.verify_model, _verify),
    ]
    if settings.vision_model:
        roles.append(("VISION_MODEL", settings.vision_model, _describe))
    names: dict[str | None, dict[str, None]] = {}
    failures: dict[str, None] = {}
    away: set[ModelEntry] = set()
    lines = []
    for setting, entry, call in [
        (setting, entry, call) for setting, models, call in roles for entry in model.entries(models)
    ]:
        if entry in away:
            continue
        try:
            lines.append(f"  {setting}: {await _try(model, entry, call)}")
            names.setdefault(model.host_of(entry), {})[entry.name] = None
        except ModelError as error:
            better = await address_with_v1(settings.openai_api_key, settings.openai_base_url)
            if better is not None:
                raise SettingsError(
                    "OPENAI_BASE_URL lacks the /v1 at its end; write OPENAI_BASE_URL={url} in .env",
                    url=better,
                ) from None
            if isinstance(error, ModelUnreachable):
                away.add(entry)
            reason = _reason(error)
            if isinstance(error, ModelMalformed) and call is not _answer:
                reason = UNREADABLE.format(setting=setting)
            if is_slow(error):
                limit = "CHAT_TIMEOUT_S" if call is _answer else "TRIAGE_TIMEOUT_S"
                reason = TOO_SLOW.format(
                    setting=setting, limit=limit, seconds=getattr(settings, limit.lower())
                )
            failures[f"{entry} at {model.host_of(entry)}: {reason}"] = None
    if failures:
        raise KithError("{problems}", problems="\n  ".join([*failures, *map(str.strip, lines)]))
    places = (f"{' and '.join(listed)} at {host}" for host, listed in names.items())
    return "\n".join([f"{', '.join(places)} answered.", *lines])


async def _try(model: LanguageModel, entry: ModelEntry, call: Call) -> str:
    """Make a role's call to a model. Returns how it did. Raises ModelError."""
    began_at = asyncio.get_running_loop().time()
    result, usage = await call(model, str(entry))
    seconds = asyncio.get_running_loop().time() - began_at
    line = (
        f"{entry} {result}; {usage.prompt_tokens} + {usage.completion_tokens} tokens, "
        f"{usage.thought_tokens} of them thoughts, {seconds:.1f} s"
    )
    omitted = ", ".join(model.omitted(entry))
    return f"{line}; its server refuses: {omitted}" if omitted else line


async def _answer(model: LanguageModel, models: str) -> tuple[str, Usage]:
    pieces = _Pieces()
    answer = await model.reply(QUESTION, max_tokens=ANSWER_TOKENS, stream=pieces, model=models)
    called = await model.reply(
        [ChatMessage("user", WISH)], tools=[memory_tool()], max_tokens=ANSWER_TOKENS, model=models
    )
    how = "word by word" if len(list(filter(None, pieces))) > 1 else "in one piece"
    how += "" if "momo" in answer.text.casefold() else NO_SYSTEM_MESSAGE
    tools = "called a tool" if called.calls else NO_CALL
    return f"answered {how} and {tools}", answer.usage + called.usage


async def _extract(model: LanguageModel, models: str) -> tuple[str, Usage]:
    result = await model.call_tool(
        _prompt("extract", EXTRACTION),
        llm_extractor.TOOL,
        max_tokens=llm_extractor.ANSWER_TOKENS,
        model=models,
    )
    noted = result.arguments.get("memories")
    return (
        "noted what a sentence says"
        if isinstance(noted, list) and noted
        else "noted NOTHING of a sentence with a fact"
    ), result.usage


async def _verify(model: LanguageModel, models: str) -> tuple[str, Usage]:
    result = await model.call_tool(
        _prompt("verify", VERIFICATION),
        model_verifier.TOOL,
        temperature=0.0,
        max_tokens=model_verifier.MIN_ANSWER_TOKENS,
        model=models,
    )
    follows = str(result.arguments.get("follows")).split()
    if TRUE_NOTE not in follows:
        return "REFUSED a note that is true", result.usage
    if FALSE_NOTE in follows:
        return "ACCEPTED a note that is false", result.usage
    return "told a true note from a false one", result.usage


async def _describe(model: LanguageModel, models: str) -> tuple[str, Usage]:
    picture = Picture(to_png(RED_SQUARE, RED), "image/png")
    system = ChatMessage("system", prompts.load("picture").text)
    result = await model.call_tool(
        [system, ChatMessage("user", "The picture:", pictures=(picture,))],
        PICTURE_TOOL,
        max_tokens=ANSWER_TOKENS,
        model=models,
    )
    return "described a picture", result.usage


class _Pieces(list[str]):
    """The pieces of a streamed answer."""

    push = list.append


def _prompt(name: str, data: Sequence[str]) -> list[ChatMessage]:
    system = ChatMessage("system", prompts.load(name).text)
    return [system, ChatMessage("user", "\n".join(data))]


def _reason(error: ModelError) -> str:
    """Return what is wrong, and what the endpoint said."""
    reason = error.for_operator
    if isinstance(error, ModelUnreachable) and error.template == error.sentence:
        reason = (
            f"its server answers with an error (status {error.status})."
            if error.status
            else MODEL_AWAY
        )
    return f'{reason} It said: "{error.endpoint_text}"' if error.endpoint_text else reason
