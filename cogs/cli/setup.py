"""The command `setup`: asks for a Discord token and a language model, tries both, writes .env."""

import asyncio
import getpass
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pydantic import SecretStr

from cogs.cli.doctor import check_discord
from cogs.cli.model_check import check_model
from utils.common import env_file
from utils.common.config import Settings
from utils.common.errors import KithError, SettingsError
from utils.common.model_lists import parse_endpoint_keys, parse_endpoints, parse_models
from utils.common.program import calling_name
from utils.llm.client import LanguageModel
from utils.llm.endpoint import CONNECT_TIMEOUT_S, Endpoint, EndpointRefused, address_with_v1
from utils.runtime.stopping import closed_after

ENV_FILE = Path(".env")
TOKEN, URL, KEY, MODEL = "DISCORD_TOKEN", "OPENAI_BASE_URL", "OPENAI_API_KEY", "CHAT_MODEL"
ENDPOINTS, ENDPOINT_KEYS = "MODEL_ENDPOINTS", "MODEL_ENDPOINT_KEYS"
NONE = "-"
ASK_DISCORD = "Discord bot token (Developer Portal, your application, Bot, Reset Token)"
PROVIDERS = {
    "1": ("OpenAI", "https://api.openai.com/v1"),
    "2": ("OpenRouter", "https://openrouter.ai/api/v1"),
    "3": ("Ollama on this machine", "http://127.0.0.1:11434/v1"),
    "4": ("LM Studio on this machine", "http://127.0.0.1:1234/v1"),
}
MAX_LISTED = 40
AGAIN = "Type it again, or press Enter to go on with it as it is."
WRITTEN = "Wrote {file}: only you can read it."
UNCHANGED = "Nothing changed in {file}."


@dataclass(frozen=True, slots=True)
class SetupDialogue:
    """Asks and tells; ``read`` and ``read_secret`` return a line, or raise EOFError."""

    read: Callable[[str], str]
    read_secret: Callable[[str], str]
    write: Callable[[str], None]

    def ask(self, question: str, current: str, *, is_secret: bool = False) -> str:
        """Return the typed text, the current value for an empty line, or "" for a hyphen."""
        default = "set" if current and is_secret else current
        prompt = f"{question} [{default}]: " if default else f"{question}: "
        while True:
            try:
                line = (self.read_secret if is_secret else self.read)(prompt)
            except EOFError:
                raise KithError(
                    "The input ended before the last question; nothing was written."
                ) from None
            typed = ",".join(map(str.strip, line.split(",")))  # a list of models may have blanks
            if typed == NONE:
                return ""
            if typed.isascii() and (typed.isprintable() or not typed) and " " not in typed:
                return typed or current
            self.write(
                "That holds characters that no token, key, address or model name has; type it "
                "again."
            )


def run_setup(dialogue: SetupDialogue, file: Path = ENV_FILE) -> None:
    """Ask, try, and write the file. Raises KithError; nothing is written before the last answer."""
    current = env_file.values(file)
    dialogue.write(
        "This asks for a Discord token and a language model, tries both, and writes .env.\n"
        "Enter keeps what stands in [brackets], - removes it, and Ctrl-C leaves everything as it "
        "is.\n"
    )
    token = dialogue.ask(ASK_DISCORD, current.get(TOKEN, ""), is_secret=True)
    while token:  # until Discord accepts it, or it is to stay as it is
        try:
            dialogue.write(f"✓ discord: {asyncio.run(check_discord(SecretStr(token)))}")
            break
        except KithError as error:
            dialogue.write(f"✗ discord: {error.for_operator}\n  {AGAIN}")
        again = dialogue.ask(ASK_DISCORD, token, is_secret=True)
        if again == token:
            break
        token = again
    if not token:
        dialogue.write("– discord: no token, so Kith only talks in the terminal.")
    chosen = {TOKEN: token, **_ask_model(dialogue, current)}
    changes = {name: value for name, value in chosen.items() if value != current.get(name, "")}
    if changes:
        env_file.change(file, changes)
    dialogue.write(f"\n{(WRITTEN if changes else UNCHANGED).format(file=file)}")
    command = calling_name() if token else f"{calling_name()} console"
    dialogue.write(f"Next: {command}")


def _ask_model(dialogue: SetupDialogue, current: Mapping[str, str]) -> dict[str, str]:
    """Ask for the endpoint, the key and the model until it answers, or they are to stay."""
    chosen: dict[str, str] = {name: current.get(name, "") for name in (URL, KEY, MODEL)}
    tried: dict[str, str] | None = None
    while True:
        for number, (name, address) in PROVIDERS.items():
            dialogue.write(f"  {number} {name}: {address}")
        url = dialogue.ask(
            "Language model: a number, or the address of another OpenAI-compatible endpoint",
            chosen[URL],
        )
        url = PROVIDERS[url][1] if url in PROVIDERS else url
        key = dialogue.ask(
            "API key (empty for a model on your own machine that needs none)",
            chosen[KEY],
            is_secret=True,
        )
        if not (url or key or current.get(ENDPOINTS)):
            dialogue.write(
                "– model: none, so answers only quote what members said about themselves."
            )
            return {URL: "", KEY: "", MODEL: chosen[MODEL]}
        listed = asyncio.run(_listed_models(url, key))
        chosen = {URL: url, KEY: key, MODEL: _choose_model(dialogue, chosen[MODEL], listed)}
        if chosen == tried:
            return chosen
        tried = chosen
        try:
            sentence, url = asyncio.run(_try_model(chosen, current))
            dialogue.write(f"✓ model: {sentence}")
            return chosen | {URL: url}
        except KithError as error:
            dialogue.write(f"✗ model: {error.for_operator}\n  {AGAIN}")


async def _listed_models(url: str, key: str) -> list[str]:
    """Return the names of the models at an address; empty if it does not tell them."""
    if not (url or key):
        return []
    secret = SecretStr(key) if key else None
    try:
        address = await address_with_v1(secret, url or None) or url
        async with closed_after(Endpoint(key or None, address or None, concurrency=1)) as endpoint:
            body = await endpoint.list_models(CONNECT_TIMEOUT_S)
    except (EndpointRefused, KithError):  # trying the model says why
        return []
    data = body.get("data") if isinstance(body, dict) else None
    entries = data if isinstance(data, list) else ()
    ids = [entry.get("id") for entry in entries if isinstance(entry, dict)]
    names = [name for name in ids if isinstance(name, str) and name]
    return sorted(name for name in names if name.isprintable() and "," not in name)


def _choose_model(dialogue: SetupDialogue, current: str, listed: Sequence[str]) -> str:
    """Ask for a model; what is proposed is there, as far as the endpoint tells its models."""
    for number, name in enumerate(listed[:MAX_LISTED], start=1):
        dialogue.write(f"  {number} {name}")
    if len(listed) > MAX_LISTED:
        dialogue.write(f"  … and {len(listed) - MAX_LISTED} more; type a name.")
    usual = str(Settings.model_fields["chat_model"].default)
    default = current or usual
    if listed and not {name.strip() for name in current.split(",")} & {*listed}:
        default = usual if usual in listed else listed[0]
    typed = dialogue.ask("Model (a number or a name)", default) or default
    is_number = typed.isdecimal() and 1 <= int(typed) <= len(listed[:MAX_LISTED])
    return listed[int(typed) - 1] if is_number else typed


async def _try_model(chosen: Mapping[str, str], current: Mapping[str, str]) -> tuple[str, str]:
    """Return the sentence that the models answered, and the address: /v1 is added if it lacks.

    ``current`` has the endpoints of a list. Raises KithError with what to change.
    """
    key = SecretStr(chosen[KEY]) if chosen[KEY] else None
    url = await address_with_v1(key, chosen[URL] or None) or chosen[URL]
    setting = ENDPOINTS
    try:
        endpoints, keys = parse_endpoints(current.get(setting, "")), current.get(ENDPOINT_KEYS, "")
        setting = ENDPOINT_KEYS
        parse_endpoint_keys(keys, endpoints)
        setting = MODEL
        parse_models(chosen[MODEL], endpoints)
    except ValueError as error:
        raise SettingsError(f"{setting} {error}.") from None
    settings = Settings.model_construct(
        openai_base_url=url or None,
        openai_api_key=key,
        model_endpoints=endpoints,
        model_endpoint_keys=SecretStr(keys),
        chat_model=chosen[MODEL],
    )
    async with closed_after(LanguageModel.from_settings(settings)) as model:
        sentence = await check_model(model, settings)
    if url != chosen[URL]:
        sentence += f" The address lacked /v1 at its end: {url} is used."
    return sentence, url


def terminal_dialogue() -> SetupDialogue:
    """Return a dialogue on the terminal, where secrets are not shown, or over pipes."""
    write = partial(print, flush=True)
    if sys.stdin.isatty():
        return SetupDialogue(input, getpass.getpass, write)

    def read(question: str) -> str:
        write(question)  # nobody types the end of its line
        return input()

    return SetupDialogue(read, read, write)
