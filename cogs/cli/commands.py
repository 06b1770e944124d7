"""Dispatch the operator's commands; migrate, prune and erase stand here."""

import argparse
import sys
from functools import partial
from importlib.util import find_spec

from cogs.cli.databases import require_database
from cogs.cli.terminal import TerminalProgress, confirm
from utils.app import App
from utils.common.errors import MCP_MISSING, KithError, SettingsError
from utils.common.program import as_called


async def run_command(app: App, options: argparse.Namespace) -> int:
    """Run the parsed command; return the exit status."""
    # Two commands make a database, and doctor also checks everything else.
    if options.command not in ("migrate", "restore", "doctor"):
        require_database(app)
    match options.command:
        case "dashboard":
            from cogs.dashboard.offline import serve_database

            await serve_database(app, partial(print, flush=True), opens_browser=options.open)
            return 0
        case "mcp":
            return await serve_agents(app, options.guild, options.member)
        case "migrate":
            return await migrate(app)
        case "prune":
            return await prune(app, trusts_clock=options.clock_is_right)
        case "erase":
            return await erase(app, options.member, options.guild, sure=options.yes)
        case "import-history":
            from cogs.cli.history import import_history

            return await import_history(
                app,
                options.files,
                only=frozenset(options.member or ()),
                guild_id=options.guild,
                is_dry_run=options.dry_run,
                sure=options.yes,
            )
        case "policy":
            from cogs.cli.policy import do_policy

            for line in await do_policy(app, options):
                print(line)
            return 0
        case "export":
            from cogs.cli.archive import export

            return await export(app, options.place, options.guild, options.member)
        case "import":
            from cogs.cli.archive import import_

            return await import_(app, options.place, is_dry_run=options.dry_run, sure=options.yes)
        case "backup":
            from cogs.cli.backup import backup_database

            return await backup_database(app, options.file)
        case "restore":
            from cogs.cli.backup import restore

            return await restore(
                app,
                options.file,
                replay_only=options.replay_only,
                sure=options.yes,
                without_ledger=options.without_ledger,
            )
        case _:
            from cogs.cli.doctor import examine, examine_live

            check = examine_live if options.live else examine
            return 0 if await check(app, lambda line: print(as_called(line))) else 1


async def serve_agents(app: App, guild_id: int | None, user_id: int | None) -> int:
    """Let agents use memory until they leave or Ctrl-C. Raises SettingsError."""
    if find_spec("mcp") is None:
        raise SettingsError(MCP_MISSING.format(what="`bot.py mcp`"))
    from cogs.mcp_server.agent_server import serve_http, serve_stdio
    from cogs.mcp_server.grants import Grant

    if guild_id is None and user_id is not None:
        raise SettingsError("--member needs --guild: the server in which it is.")
    await app.database.open(upgrade=False)
    if guild_id is None:
        await serve_http(app, partial(print, flush=True))
    else:
        await serve_stdio(app, Grant(guild_id, user_id))
    return 0


async def migrate(app: App) -> int:
    """Upgrade the database's schema."""
    with TerminalProgress().part("upgrading the schema"):
        before, after = await app.database.open()
    if before == after:
        print(f"The schema is {after} already: there was nothing to do.")
    else:
        print(f"The schema was {before or 'empty'} and is {after} now.")
    return 0


async def prune(app: App, *, trusts_clock: bool = False) -> int:
    """Remove what has expired and what is over the cap."""
    await app.database.open()
    with TerminalProgress().part("pruning"):
        report = await app.admin.job_runs.prune(is_awaited=True, trusts_clock=trusts_clock)
    if report is None:
        print("Another process has been pruning for 45 seconds; nothing was done here.")
        return 1
    print(f"Pruned: {report}.")
    return 0


async def erase(app: App, user_id: int, guild_id: int | None, *, sure: bool) -> int:
    """Erase everything of a person, in one server or everywhere, after a confirmation."""
    where = "everywhere" if guild_id is None else f"in server {guild_id}"
    await app.database.open()
    retention = app.admin.job_runs.retention
    if not await retention.is_known(user_id, guild_id):
        anywhere = "in any server" if guild_id is None else where
        print(
            f"Nothing is stored of member {user_id} {anywhere}; nothing was erased. Check the id.",
            file=sys.stderr,
        )
        return 1
    if not sure and not confirm(f"Erase everything of member {user_id} {where}, for good?"):
        print("Nothing was erased.")
        return 1
    with TerminalProgress().part("erasing"):
        erased = await retention.erase_member(user_id, guild_id)
    print(f"Erased: {erased}.")
    if not erased.is_scrubbed:
        print("The database is busy; the nightly pruning overwrites what its file still contains.")
    try:
        await app.admin.ledger.mirror()
    except KithError as error:  # without its file, a restored backup brings back what was erased
        print(error, file=sys.stderr)
    return 0
