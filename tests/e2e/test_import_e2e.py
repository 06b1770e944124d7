"""`import-history`: made-up conversations; as a process real ones, broken off and gone on with."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.e2e.den import Den
from tests.fakes.builders import make_memory_service
from tests.fakes.exports import told, write_export
from utils.database.core.engine import Database
from utils.models.memory import Consent, Member

NOW = datetime.now(UTC)


async def lets(den: Den, guild_id: int, *user_ids: int) -> None:
    """Give these members' consent with no client awake: it forgets servers it is not in."""
    database = Database(den.database_url, pool_size=1, clock=den.clock)
    await database.open()
    keeper = make_memory_service(database, den.clock)
    try:
        for user_id in user_ids:
            await keeper.set_consent(Member(guild_id, user_id), Consent.LASTING)
    finally:
        await database.close()


def read_of(den: Den) -> list[str]:
    """What the model was given to read, a prompt each."""
    return [request["messages"][-1]["content"] for request in den.extractions()]


async def test_it_tells_the_cost_first_reads_only_who_gave_leave(den: Den, tmp_path: Path) -> None:
    guild_id, alice = den.guild.id, den.alice.id
    await lets(den, guild_id, alice)
    texts = ("I have a dog named Rex", "I love pizza")
    said = [*told(*texts, at=NOW - timedelta(days=9), by=alice)]
    said += told("I have a secret", at=NOW - timedelta(days=8), by=den.bob.id)
    said[-1]["id"] = "1499"
    file = write_export(tmp_path / "general.json", said, guild_id=guild_id)

    ended = await den.command("import-history", "--dry-run", str(file))
    assert ended.status == 0
    assert ended.out.startswith(
        "general.json: 3 messages; 2 would be read, of 1 members who consented (1 did not)"
    )
    assert "model calls: 2, tokens: about " in ended.out
    assert not den.extractions()

    ended = await den.command("import-history", str(file))
    assert ended.status == 1
    assert (
        ended.err == "There is no terminal to confirm this on; add --yes to continue without a "
        "question.\n"
    )

    async with den.process("import-history", "--yes", str(file)) as process:
        assert await process.ends() == 0
    assert "2 new ones stored" in process.out
    for line in process.err.splitlines():  # only what takes more than two seconds shows progress
        assert line.startswith(("storing general.json: ", "reading general.json: "))
    assert len(read_of(den)) == 2
    assert not any("secret" in prompt for prompt in read_of(den))
    async with den.awake():
        assert sorted(await den.known_of(den.alice)) == ["has a dog named Rex", "loves pizza"]
        await den.talk(den.alice, "hello")
        assert "pizza" not in den.last_words()  # of a channel that is not this one
