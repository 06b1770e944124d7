"""`python bot.py export` and `import`, in words."""

import sys
from collections import Counter
from pathlib import Path

from cogs.operating import confirmed, refuse_to_ask_nobody
from utils.archive_files import Manifest
from utils.arrival import Arrived
from utils.core import Core
from utils.errors import DatabaseError, KithError

CALLED = {
    "servers.jsonl": "servers' choices",
    "members.jsonl": "members' choices",
    "tombstones.jsonl": "messages that teach nothing",
    "messages.jsonl": "messages",
    "memories.jsonl": "memories",
    "open.jsonl": "things to ask about",
}
HOLDS_WORDS = "It holds people's words: keep it as safe as the database, and no longer than needed."

GO_ON = "Run the same command again: it goes on where it stopped."
OLD_SCHEMA = "The database's schema is older than this program; run `python bot.py migrate` first."


async def export(core: Core, place: Path, guild_id: int | None, user_id: int | None) -> int:
    """Write an archive; returns the exit status."""
    await core.database.open()
    manifest = await core.archive.export(place, guild_id=guild_id, user_id=user_id)
    print(f"Exported to {place}: {exported_in_words(manifest)}. {HOLDS_WORDS}")
    return 0


async def take_in(core: Core, place: Path, *, is_dry_run: bool, sure: bool) -> int:
    """Take an archive in, once the operator has seen what that would do; returns the exit
    status."""
    if not (is_dry_run or sure):
        refuse_to_ask_nobody()
    await core.database.open(upgrade=not is_dry_run)
    if is_dry_run and not await core.database.schema_is_current():
        raise KithError(OLD_SCHEMA)
    if is_dry_run or not sure:
        preview = await core.archive.preview(place)
        print(f"Checked. This would be new here: {arrived_in_words(preview)}")
    if is_dry_run:
        return 0
    if not sure and not confirmed("Import this?"):
        print("Nothing was imported.")
        return 1
    try:
        arrived = await core.archive.take_in(place)
    except DatabaseError as error:
        print(GO_ON, file=sys.stderr)
        raise error
    print(f"Imported: {arrived_in_words(arrived)}")
    return 0


def exported_in_words(manifest: Manifest) -> str:
    """Say what an archive holds, in numbers."""
    lines = {name: part.lines for name, part in manifest.parts.items()}
    return ", ".join(f"{lines.get(name, 0):,} {called}" for name, called in CALLED.items())


def arrived_in_words(arrived: Arrived) -> str:
    """Say what an import came to, in numbers, and what was left out and why."""
    new = ", ".join(f"{arrived.new[name]:,} {called}" for name, called in CALLED.items())
    reasons: dict[str, Counter[str]] = {}
    for (name, why), count in arrived.left_out.items():
        reasons.setdefault(name, Counter())[why] += count
    left_out = [
        f"  {CALLED[name]} left out: "
        + ", ".join(f"{count:,} {why}" for why, count in found.most_common())
        for name, found in reasons.items()
    ]
    return "\n".join([f"{new}.", *left_out])
