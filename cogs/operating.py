"""What the operator has done from the command line: migrating, pruning, erasing."""

import argparse
import sys

from utils.core import Core
from utils.errors import KithError


async def operate(core: Core, options: argparse.Namespace) -> int:
    """Run the command that was typed; returns the exit status."""
    match options.command:
        case "migrate":
            return await migrate(core)
        case "prune":
            return await prune(core)
        case "erase":
            return await erase(core, options.member, options.guild, sure=options.yes)
        case "import-history":
            from cogs.importing import import_history

            return await import_history(
                core,
                options.files,
                only=frozenset(options.member or ()),
                guild_id=options.guild,
                is_dry_run=options.dry_run,
                sure=options.yes,
            )
        case "policy":
            from cogs.policy_commands import do_policy

            for line in await do_policy(core, options):
                print(line)
            return 0
        case "export":
            from cogs.archiving import export

            return await export(core, options.place, options.guild, options.member)
        case "import":
            from cogs.archiving import take_in

            return await take_in(core, options.place, is_dry_run=options.dry_run, sure=options.yes)
        case "backup":
            from cogs.backing_up import back_up

            return await back_up(core, options.file)
        case "restore":
            from cogs.backing_up import restore

            return await restore(
                core,
                options.file,
                replay_only=options.replay_only,
                sure=options.yes,
                without_ledger=options.without_ledger,
            )
        case _:
            return await doctor(core, live=options.live)


async def doctor(core: Core, *, live: bool) -> int:
    """Check everything, one by one, and say what to do."""
    from cogs.doctor import examine, examine_live

    return 0 if await (examine_live if live else examine)(core, print) else 1


async def migrate(core: Core) -> int:
    """Bring the database's schema forward."""
    await core.database.open(upgrade=False)
    before, after = await core.database.migrate()
    print(f"The schema was at {before or 'nothing'} and is at {after} now.")
    return 0


async def prune(core: Core) -> int:
    """Remove what has expired and what is over the cap."""
    await core.database.open()
    report = await core.upkeep.prune()
    print(f"Pruned: {report}." if report else "Another process is pruning already.")
    return 0


async def erase(core: Core, user_id: int, guild_id: int | None, *, sure: bool) -> int:
    """Erase everything of a person, here or everywhere, once the operator confirms it."""
    where = "everywhere" if guild_id is None else f"in server {guild_id}"
    if not sure and not confirmed(f"Erase everything of member {user_id} {where}, for good?"):
        print("Nothing was erased.")
        return 1
    await core.database.open()
    erased = await core.upkeep.retention.erase_member(user_id, guild_id)
    print(f"Erased: {erased}.")
    if not erased.is_scrubbed:
        print("The database is busy; tonight's pruning overwrites what its file still holds.")
    return 0


def confirmed(question: str) -> bool:
    """Ask on the terminal. Raises KithError where nobody can answer."""
    refuse_to_ask_nobody()
    return input(f"{question} [y/N] ").strip().casefold() in ("y", "yes")


def refuse_to_ask_nobody() -> None:
    """Raise KithError where nobody can answer a question."""
    if not sys.stdin.isatty():
        raise KithError("Nobody is here to confirm it; add --yes to go ahead without being asked.")
