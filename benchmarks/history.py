"""Measures what a history import costs, for exports of several sizes.

    python -m benchmarks.history [--json] [--megabytes 100 300] [--leave 5] [--seed 1]

Each export is generated: messages of 1,000 people in one channel, in DiscordChatExporter's format.
``--leave`` people have lasting consent. `bot.py import-history --yes` imports each export in its
own process, with the built-in rules, into a new SQLite file. The report has its peak memory
(ru_maxrss) and its time. Memory is bounded if it does not grow with the file: ``mb_per_gb`` is the
slope between the first and the last size, and ``mb_at_1_gb`` the estimate for 1 GB.
"""

import asyncio
import json
import os
import random
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.stage.program import program
from tests.fakes.builders import make_memory_service
from utils.common.clock import SystemClock
from utils.database.core.engine import Database
from utils.models.memory import Consent, Member

ROOT = Path(__file__).resolve().parents[1]
GUILD, CHANNEL = 900, 901
PEOPLE = 1_000
MEGABYTE = 1_000_000
WORDS = ("the", "game", "was", "late", "we", "lost", "but", "my", "dog", "likes", "pizza", "friday")


def write_export(file: Path, size: int, dice: random.Random) -> int:
    """Write an export of about ``size`` bytes; returns its number of messages."""
    said_at = datetime.now(UTC) - timedelta(days=300)
    head = {
        "guild": {"id": str(GUILD), "name": "Den"},
        "channel": {"id": str(CHANNEL), "type": "GuildTextChat", "name": "general"},
    }
    count = 0
    with file.open("w", encoding="utf-8") as out:
        out.write(json.dumps(head)[:-1] + ', "messages": [')
        while out.tell() < size:
            said_at += timedelta(seconds=dice.expovariate(1 / 20))
            out.write((", " if count else "") + json.dumps(_message(count, said_at, dice)))
            count += 1
        out.write(f'], "messageCount": {count}}}')
    return count


def _message(number: int, said_at: datetime, dice: random.Random) -> dict[str, Any]:
    who = dice.randrange(PEOPLE)
    text = " ".join(dice.choices(WORDS, k=dice.randint(2, 30)))
    if dice.random() < 0.02:
        text = f"I have a cat named Cat{number}"
    return {
        "id": str(10**15 + number),
        "type": "Default",
        "timestamp": said_at.isoformat(),
        "timestampEdited": None,
        "isPinned": False,
        "content": text,
        "author": {
            "id": str(who + 1),
            "name": f"person{who}",
            "discriminator": "0000",
            "nickname": f"Person {who}",
            "color": None,
            "isBot": False,
            "roles": [],
            "avatarUrl": "https://cdn.example/avatars/0.png",
        },
        "attachments": [],
        "embeds": [],
        "stickers": [],
        "reactions": [],
        "mentions": [],
        "inlineEmojis": [],
    }


async def grant_consent(url: str, people: int) -> None:
    """Create a database in which ``people`` members have lasting consent."""
    clock = SystemClock()
    database = Database(url, pool_size=1, clock=clock)
    await database.open()
    for user_id in range(1, people + 1):
        await make_memory_service(database, clock).set_consent(
            Member(GUILD, user_id), Consent.LASTING
        )
    await database.close()


def measure(folder: Path, megabytes: int, leave: int, seed: int) -> dict[str, float]:
    """Import one generated export; returns its time and peak memory."""
    file, url = folder / f"{megabytes}.json", f"sqlite:///{folder / f'{megabytes}.db'}"
    messages = write_export(file, megabytes * MEGABYTE, random.Random(seed))
    asyncio.run(grant_consent(url, leave))
    began = time.perf_counter()
    command = [sys.executable, str(ROOT / "bot.py"), "import-history", "--yes", str(file)]
    environment = {"PATH": os.environ["PATH"], "DATABASE_URL": url, "HOME": str(folder)}
    child = os.posix_spawn(command[0], command, environment)
    _, status, used = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"the import ended with {status}")
    file.unlink()
    return {
        "megabytes": megabytes,
        "messages": messages,
        "seconds": round(time.perf_counter() - began, 1),
        "peak_mb": round(used.ru_maxrss / 1024, 1),
    }


def measure_all(
    folder: Path,
    megabytes: tuple[int, ...] = (100, 300),
    leave: int = 5,
    seed: int = 1,
) -> dict[str, Any]:
    """Measure every size, and return the report."""
    sizes = [measure(folder, size, leave, seed) for size in megabytes]
    first, last = sizes[0], sizes[-1]
    per_gb = 0.0
    if last["megabytes"] > first["megabytes"]:
        grown = last["peak_mb"] - first["peak_mb"]
        per_gb = 1000 * grown / (last["megabytes"] - first["megabytes"])
    at_1_gb = last["peak_mb"] + per_gb * (1000 - last["megabytes"]) / 1000
    return {"sizes": sizes, "mb_per_gb": round(per_gb, 1), "mb_at_1_gb": round(at_1_gb, 1)}


main = program("history", __doc__, measure_all)


if __name__ == "__main__":
    sys.exit(main())
