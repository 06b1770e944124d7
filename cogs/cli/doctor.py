"""The command `doctor`: check settings, database, model and Discord, and say what to do."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

import discord
from pydantic import SecretStr

from cogs.bot.localisation import ENGLISH
from cogs.bot.login import LOGIN_REFUSED, NOT_CONFIGURED, rest_client
from cogs.bot.permission_check import invite_link
from cogs.cli.databases import missing_file, require_database
from cogs.cli.model_check import check_model
from cogs.cli.recall_check import recall_lines
from cogs.cli.terminal import columns
from cogs.mcp_server.grants import Grants
from utils.admin.job_runs import served, unserved
from utils.app import App
from utils.common.config import env_lines
from utils.common.errors import (
    DatabaseError,
    DatabaseUnavailable,
    KithError,
    ModelMalformed,
    ModelUnreachable,
    SettingsError,
)
from utils.common.links import LinkMode
from utils.common.shards import format_shards
from utils.database.admin import server_settings
from utils.database.core import drivers
from utils.database.core.opening import explained
from utils.files.sandbox import has_tesseract
from utils.files.web_pages import NO_PAGES, can_read_pages
from utils.llm.token_budget import NO_ROOM
from utils.memory.attachments.links import LINKS_PER_HOUR
from utils.memory.attachments.reader import MAX_MB

if TYPE_CHECKING:  # it needs an optional dependency, of MCP_SERVERS
    from utils.mcp.mcp_tools import McpTools

STALE_HEARTBEAT = (
    "the last heartbeat is too old; look at the bot's log: if it says `wait in process memory`, "
    "repair the database first, because a restart loses what waits; otherwise start it again"
)
DATABASE_AWAY = "A running bot keeps new messages in process memory; a restart would lose them."
LINKS = {
    LinkMode.NONE: "ANSWER_LINKS is none: answers contain no links",
    LinkMode.ANY: "ANSWER_LINKS is any: links may hide where they lead, and invites are shown",
}
NOT_DONE = (
    "since yesterday {calls} calls were not done, because all tokens went into thoughts: set "
    "REASONING_EFFORT=low (or none), or choose another model"
)
NEEDED = {
    "dashboard_public_url": "dashboard_token",
    "dashboard_names": "dashboard_token",
    "embedding_base_url": "embedding_model",
    "embedding_api_key": "embedding_model",
    "transcription_base_url": "transcription_model",
    "transcription_api_key": "transcription_model",
}
"""Settings without effect unless the other one is set."""
READ_ONLY = "MEMORY_READ_ONLY is on: nothing new is learned or stored; forgetting still works"

Check = Callable[[App], Awaitable[str]]


class NotSetUp(Exception):
    """Something optional is not configured. Not a fault; the text says what it would add."""


async def examine(app: App, write: Callable[[str], None], locale: discord.Locale = ENGLISH) -> bool:
    """Run every check and write a line for each; return whether all passed.

    Only the sentences about channels are in the language of ``locale``.
    """
    is_well = _write_ignored_lines(write)
    for name, needed in NEEDED.items():
        if getattr(app.settings, name) and getattr(app.settings, needed) is None:
            write(f"– settings: {name.upper()} has no effect without {needed.upper()}")
    if app.settings.memory_read_only:
        write(f"– memory: {READ_ONLY}")
    try:
        await app.admin.ledger.require_writable()
    except KithError as error:
        is_well = False
        write(f"✗ ledger: {error}")
    if app.settings.answer_links in LINKS:
        write(f"– answers: {LINKS[app.settings.answer_links]}")
    checks: dict[str, Check] = {
        "database": _database,
        "model": _model,
        "discord": _discord,
        "embedding": _embedding,
        "attachments": _attachments,
    }
    if app.mcp is not None:
        checks["tools"] = partial(_tools, app.mcp)
    if app.settings.read_links:
        checks["links"] = _links
    if app.settings.mcp_tokens is not None:
        checks["agents"] = partial(_agents, app.settings.mcp_tokens)
    has_database = True
    for name, check in checks.items():
        try:
            write(f"✓ {name}: {await check(app)}")
        except NotSetUp as note:
            write(f"– {name}: {note}")
            has_database &= name != "database"
        except KithError as error:
            is_well = False
            write(f"✗ {name}: {error.for_operator}")
        if name == "database":
            is_well &= await _write_settings(app, write)
    if not (is_well and has_database):
        return is_well
    usage = await app.admin.job_runs.usage(None, days=2)
    if calls := sum(use.calls for use in usage if use.purpose == NO_ROOM):
        is_well = False
        write(f"✗ model: {NOT_DONE.format(calls=calls)}")
    try:
        if (used := await app.policies.versions.active()).version:
            write(f"– recall: policy version {used.version} is active ({used.reason})")
        async for line in recall_lines(app, locale):
            write(f"– recall: {line}")
    except KithError as error:
        write(f"✗ recall: {error}")
        return False
    return is_well


async def examine_live(app: App, write: Callable[[str], None]) -> bool:
    """Read the heartbeat of every process; return whether all are well.

    On a host that runs some of the processes, the result is about those only.
    """
    try:
        require_database(app)
        await app.database.open(upgrade=False)
        running, silent = await app.admin.job_runs.heartbeats()
    except KithError as error:
        hint = f" {DATABASE_AWAY}" if isinstance(error, DatabaseUnavailable) else ""
        write(f"✗ live: {error}{hint}")
        return False
    if not running:
        nothing = "no bot has sent a heartbeat yet; start it with `python bot.py`"
        write(f"✗ live: {STALE_HEARTBEAT if silent else nothing}")
        return False
    connected = [heartbeat for heartbeat in running if heartbeat.state.startswith("connected")]
    for heartbeat in running:
        name = f"{heartbeat.process}, " if len(running) > 1 else ""
        write(f"{'✓' if heartbeat in connected else '✗'} live: {name}{heartbeat.state}")
    missing = unserved(running)
    if missing:
        shards = format_shards(missing)
        write(f"✗ live: no running process has shard {shards}; start the one with these SHARD_IDS")
    local = [beat for beat in (*running, *silent) if beat.host == app.admin.job_runs.host]
    if local:
        running = [beat for beat in local if beat in running]
        missing &= served(local)
        if not running:
            write(f"✗ live: {STALE_HEARTBEAT}")
    return bool(running) and all(heartbeat in connected for heartbeat in running) and not missing


def _write_ignored_lines(write: Callable[[str], None]) -> bool:
    """Write which lines of .env have no effect; return whether none of them looks like a fault."""
    lines = env_lines()
    if not lines:
        write("✓ settings: valid")
    for sentence, is_fault in lines:
        write(f"{'✗' if is_fault else '–'} settings: {sentence}")
    return not any(is_fault for _, is_fault in lines)


async def _write_settings(app: App, write: Callable[[str], None]) -> bool:
    """Write the settings of a database on a server as a table; return whether all are usable."""
    try:
        settings = await app.database.read(server_settings.load, app.clock.monotonic)
    except DatabaseError:  # the check of the database has said why
        return True
    rows = [(setting.name, setting.value, setting.advice or "–") for setting in settings]
    if rows:
        rows.insert(0, ("setting", "value", "what to change"))
    faults = [False, *(setting.is_fault for setting in settings)]
    for line, is_fault in zip(columns(rows), faults, strict=False):
        write(f"{'✗' if is_fault else ' '} {line}")
    return not any(faults)


async def _database(app: App) -> str:
    if (file := missing_file(app)) is not None:
        raise NotSetUp(
            f"there is no {file} yet; the first start creates it. If Kith has run before, run this "
            "command where it runs, with its settings (`docker compose exec kith /venv/bin/python "
            "bot.py doctor`, or `systemd-run` as in docs/deployment.md)"
        )
    await app.database.open(upgrade=False)
    try:
        return await app.database.check()
    except DatabaseUnavailable as error:  # its sentence is for members
        raise explained(error, drivers.parse_url(app.settings.database_url)) from error


async def _model(app: App) -> str:
    if app.model is None:
        raise NotSetUp(
            "none is configured, so answers are plain; `python bot.py setup` adds one "
            "(OPENAI_API_KEY or OPENAI_BASE_URL)"
        )
    return await check_model(app.model, app.settings)


async def _discord(app: App) -> str:
    token = app.settings.discord_token
    if token is None:
        raise NotSetUp(NOT_CONFIGURED)
    return await check_discord(token)


async def check_discord(token: SecretStr) -> str:
    """Return whose the token is, its intents, and the invite link. Raises KithError."""
    async with rest_client(token) as client:
        application = client.application
        if application is None or client.user is None:
            raise SettingsError(LOGIN_REFUSED)
        flags = application.flags
        intent = (
            "the Message Content intent is on"
            if flags.gateway_message_content or flags.gateway_message_content_limited
            else "the Message Content intent is off: mentions, replies and direct messages work, "
            "chat channels don't; turn it on under Bot in the developer portal"
        )
        return (
            f"the token is {client.user}'s; {intent}. Invite it with {invite_link(application.id)}"
        )


async def _tools(mcp: "McpTools", _: App) -> str:
    """Connect to every MCP server once. Raises KithError that names those with a problem."""
    mcp.start()
    connections = await mcp.settled()
    lines = [
        f"{connection.spec.name}: {connection.problem or ', '.join(connection.tool_names)}"
        for connection in connections
    ]
    faults = [
        f"{connection.spec.name}: {fault}"
        for connection in connections
        for fault in connection.faults
    ]
    lines += faults
    if faults or any(connection.problem for connection in connections):
        raise KithError("{lines}", lines="; ".join(lines))
    return "; ".join(lines)


async def _agents(tokens: SecretStr, _: App) -> str:
    """Return how many agents have a token. Raises SettingsError that names a wrong entry."""
    return f"MCP_TOKENS is valid; tokens: {len(Grants(tokens.get_secret_value()))}"


async def _embedding(app: App) -> str:
    if app.memory.embedding is None:
        raise NotSetUp("EMBEDDING_MODEL is not set, so recall compares words only")
    try:
        return await app.memory.embedding.check()
    except ModelUnreachable:
        raise KithError(
            "it does not answer in time, so recall goes by words; check EMBEDDING_BASE_URL in .env "
            "and that the embedding server runs"
        ) from None
    except ModelMalformed:
        raise KithError(
            "its answers are not vectors, so recall goes by words; check that EMBEDDING_MODEL "
            "names an embedding model"
        ) from None


async def _attachments(app: App) -> str:
    """Return how pictures, documents and recordings are read."""
    settings = app.settings
    if not settings.attachments:
        raise NotSetUp("ATTACHMENTS is off, so files are noted but not read")
    if not await app.memory.attachments.works():
        raise KithError(
            "files cannot be read: `python -m utils.files.sandbox_process` must be able to start "
            "and to limit itself (setrlimit); check what the service or the container forbids"
        )
    if settings.vision_model and app.model is not None:
        pictures = f"pictures are described by {settings.vision_model}"
    elif has_tesseract():
        pictures = "the text in pictures is read by Tesseract (VISION_MODEL would describe them)"
    else:
        pictures = "pictures are not read (VISION_MODEL with an endpoint, or Tesseract, would)"
    transcriber = settings.transcription_model
    recordings = (
        f"recordings are transcribed by {transcriber}"
        if transcriber
        else "recordings are not read (set TRANSCRIPTION_MODEL)"
    )
    return f"documents of up to {MAX_MB} MB are read; {pictures}; {recordings}"


async def _links(app: App) -> str:
    """Return whether the pages are read that members link to."""
    if not can_read_pages():
        raise KithError(NO_PAGES)
    if app.memory.links is None:
        raise NotSetUp("READ_LINKS is on, but pages are only read for a model, and there is none")
    return (
        f"pages are read when members ask, and in the channels of `/config channel links`; "
        f"{LINKS_PER_HOUR} an hour for each member"
    )
