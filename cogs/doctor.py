"""Checks settings, database, model and Discord one by one, and says what to do."""

from collections.abc import Awaitable, Callable

import discord

from cogs.client import (
    DISCORD_ERRORS,
    NOT_SET_UP,
    REFUSED_BY_DISCORD,
    in_a_sentence,
    usable_token,
)
from utils.core import Core
from utils.errors import (
    DatabaseUnavailable,
    KithError,
    ModelMalformed,
    ModelUnreachable,
    SettingsError,
)
from utils.files.workers import has_tesseract
from utils.shards import shards_in_words
from utils.upkeep import served, unserved

INVITE = (
    "https://discord.com/oauth2/authorize?client_id={id}&scope=bot+applications.commands"
    "&permissions={permissions}"
)
PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    read_message_history=True,
    attach_files=True,
    embed_links=True,
    add_reactions=True,
)
NO_HEARTBEAT = "no running bot has left a sign of life yet; start it with `python bot.py`"
NOBODY_SERVES = "no process that runs has shard {}; start the one with these SHARD_IDS"
STALE_HEARTBEAT = (
    "the last sign of life is too old; look at the bot's log: if it says `waits in process "
    "memory`, mend the database, as a restart loses what waits; otherwise start it again"
)
DATABASE_AWAY = "A bot that runs goes on and keeps what it hears; a restart would lose that."
MODEL_AWAY = (
    "nothing answers there; check OPENAI_BASE_URL in .env, this machine's network, and that the "
    "model server runs"
)
EMBEDDING_AWAY = (
    "nothing comes from there in time, so recall goes by words; check EMBEDDING_BASE_URL in .env "
    "and that the embedding server runs"
)
EMBEDDING_MALFORMED = (
    "what it answers are no vectors, so recall goes by words; check that EMBEDDING_MODEL names an "
    "embedding model"
)
NO_FILES = (
    "no file can be read: `python -m utils.files.worker` must be able to start, and to limit "
    "itself (setrlimit); look at what the service or the container forbids"
)
READ_ONLY = "MEMORY_READ_ONLY is on: I learn and store nothing new; what people forget still goes"

Check = Callable[[Core], Awaitable[str]]


class NotSetUp(Exception):
    """Something optional is not configured: no fault, and its text says what it would give."""


async def examine(core: Core, write: Callable[[str], None]) -> bool:
    """Run every check, a line each; returns whether all is well."""
    write("✓ settings: read and sensible")
    if core.settings.memory_read_only:
        write(f"– memory: {READ_ONLY}")
    checks: dict[str, Check] = {
        "database": _database,
        "model": _model,
        "discord": _discord,
        "embedding": _embedding,
        "attachments": _attachments,
    }
    is_well = True
    for name, check in checks.items():
        try:
            write(f"✓ {name}: {await check(core)}")
        except NotSetUp as note:
            write(f"– {name}: {note}")
        except KithError as error:
            is_well = False
            write(f"✗ {name}: {error}")
    return is_well


async def examine_live(core: Core, write: Callable[[str], None]) -> bool:
    """Read the heartbeat of every process that runs; returns whether all is well.

    On a machine, or in a container, that runs some of them, what it returns is about those.
    """
    try:
        await core.database.open(upgrade=False)
        running, silent = await core.upkeep.beats()
    except KithError as error:
        hint = f" {DATABASE_AWAY}" if isinstance(error, DatabaseUnavailable) else ""
        write(f"✗ live: {error}{hint}")
        return False
    if not running:
        write(f"✗ live: {STALE_HEARTBEAT if silent else NO_HEARTBEAT}")
        return False
    connected = [beat for beat in running if beat.state.startswith("connected")]
    for beat in running:
        name = f"{beat.process}, " if len(running) > 1 else ""
        write(f"{'✓' if beat in connected else '✗'} live: {name}{beat.state}")
    missing = unserved(running)
    if missing:
        write(f"✗ live: {NOBODY_SERVES.format(shards_in_words(missing))}")
    here = [one for one in (*running, *silent) if one.host == core.upkeep.host]
    if here:
        running = [beat for beat in here if beat in running]
        missing &= served(here)
        if not running:
            write(f"✗ live: {STALE_HEARTBEAT}")
    return bool(running) and all(beat in connected for beat in running) and not missing


async def _database(core: Core) -> str:
    await core.database.open(upgrade=False)
    return await core.database.check()


async def _model(core: Core) -> str:
    if core.model is None:
        raise NotSetUp(
            "none is configured, so replies are plain; set OPENAI_API_KEY or OPENAI_BASE_URL in "
            ".env to change that"
        )
    try:
        return await core.model.check()
    except ModelUnreachable as error:
        raise KithError(MODEL_AWAY if str(error) == error.sentence else str(error)) from None


async def _discord(core: Core) -> str:
    token = core.settings.discord_token
    if token is None:
        raise NotSetUp(NOT_SET_UP)
    usable = usable_token(token)
    client = discord.Client(intents=discord.Intents(guilds=True))
    try:
        await client.login(usable)
        application = client.application
        if application is None or client.user is None:
            raise SettingsError(REFUSED_BY_DISCORD)
        flags = application.flags
        invite = INVITE.format(id=application.id, permissions=PERMISSIONS.value)
        content = flags.gateway_message_content or flags.gateway_message_content_limited
        hears = (
            "the Message Content intent is on"
            if content
            else "the Message Content intent is off: mentions, replies and direct messages work, "
            "chat channels don't; switch it on under Bot in the developer portal"
        )
        return f"the token is {client.user}'s; {hears}. Invite it with {invite}"
    except DISCORD_ERRORS as error:
        raise in_a_sentence(error) from None
    finally:
        await client.close()


async def _embedding(core: Core) -> str:
    if core.embedding is None:
        raise NotSetUp("EMBEDDING_MODEL is not set, so recall goes by words alone")
    try:
        return await core.embedding.check()
    except ModelUnreachable:
        raise KithError(EMBEDDING_AWAY) from None
    except ModelMalformed:
        raise KithError(EMBEDDING_MALFORMED) from None


async def _attachments(core: Core) -> str:
    """Say what is made of pictures, documents and recordings."""
    settings = core.settings
    if not settings.attachments:
        raise NotSetUp("ATTACHMENTS is off, so I know of files only that they are there")
    if not await core.artifacts.works():
        raise KithError(NO_FILES)
    if settings.vision_model and core.model is not None:
        pictures = f"pictures are described by {settings.vision_model}"
    elif has_tesseract():
        pictures = "the text in pictures is read by Tesseract (VISION_MODEL would describe them)"
    else:
        pictures = "pictures are not looked at (set VISION_MODEL, or install Tesseract)"
    heard = settings.transcription_model
    recordings = (
        f"recordings are transcribed by {heard}"
        if heard
        else "recordings are not listened to (set TRANSCRIPTION_MODEL)"
    )
    most = settings.attachment_max_mb
    return f"documents of up to {most} MB are read; {pictures}; {recordings}"
