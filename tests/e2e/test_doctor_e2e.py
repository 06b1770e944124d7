"""doctor, migrate and prune: what they say, and their exit status."""

import asyncio
import re
import sqlite3
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlalchemy import update

import bot
from tests.e2e.den import ROOT, Den
from tests.e2e.test_commands_e2e import use
from tests.fakes.model_server import error
from tests.fakes.odbc import OdbcServer
from utils import services
from utils.common.errors import DatabaseUnavailable, DatabaseUnusable, SettingsError
from utils.database.core import drivers, migrations
from utils.database.core.engine import Database
from utils.database.schema.memory_tables import memory_event, metadata, user_memory
from utils.files import sandbox, web_pages


async def run(den: Den, *arguments: str, **chosen: object) -> int:
    """Run a command as bot.py does, and return its exit status.

    Whether files can be read is left out unless a test asks for it: that starts a process.
    """
    settings = den.settings(**{"attachments": False} | chosen)
    return await bot.execute(bot.command_line().parse_args(arguments), settings)


async def written(
    den: Den, capsys: pytest.CaptureFixture[str], status: int, *arguments: str, **chosen: object
) -> str:
    """Run a command that ends with this status; returns what it wrote."""
    assert await run(den, *arguments, **chosen) == status
    return capsys.readouterr().out


def report(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines that `doctor` wrote, without those that say how each model did."""
    return [line for line in capsys.readouterr().out.splitlines() if "_MODEL: " not in line]


async def test_all_is_well(den: Den, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "chosen").write_text('{"block_tokens": 450}', encoding="utf-8")
    assert "Version 1 is active" in await written(
        den, capsys, 0, "policy", "apply", str(tmp_path / "chosen"), "--reason", "more room"
    )
    assert await run(den, "doctor", attachments=True) == 0
    settings, database, model, discord, embedding, attachments, *recall = report(capsys)
    assert [settings, model, embedding, *recall] == [
        "✓ settings: valid",
        "✓ model: gpt-4.1-mini at 127.0.0.1 answered.",
        "– embedding: EMBEDDING_MODEL is not set, so recall compares words only",
        "– recall: policy version 1 is active (more room)",
        "– recall: Den: What was said in one channel I can use in all others.",
    ]
    assert database.startswith("✓ database: ")
    assert "(current)" in database
    assert discord.startswith("✓ discord: the token is Kith#0000's; the Message Content intent is")
    assert f"client_id={den.fake.application_id}&scope=bot+applications.commands" in discord
    assert attachments.startswith("✓ attachments: documents of up to 25 MB are read; pictures are")
    assert "recordings are not read (set TRANSCRIPTION_MODEL)" in attachments
    assert not den.fake.gateway.sessions


async def test_what_is_wrong_with_a_model_is_named(
    den: Den, capsys: pytest.CaptureFixture[str]
) -> None:
    model = "✗ model: gpt-4.1-mini at 127.0.0.1: its server answers with an error (status 503)."
    den.model.on_chat = lambda request: error(503, message="Loading model")  # as llama.cpp's
    assert await run(den, "doctor") == 1
    assert f'{model} It said: "Loading model"' in report(capsys)
    den.model.on_chat = lambda request: "I like turtles."
    assert "as TRIAGE_MODEL, it wrote neither a tool call nor JSON" in await written(
        den, capsys, 1, "doctor"
    )
    den.model.on_chat = None
    assert await run(den, "doctor", openai_base_url=den.model.base_url.removesuffix("/v1")) == 1
    assert (
        "✗ model: OPENAI_BASE_URL lacks the /v1 at its end; write OPENAI_BASE_URL="
        f"{den.model.base_url} in .env" in report(capsys)
    )
    begin = "  CHAT_MODEL: gpt-4.1-mini answered word by word"
    for reply, how in [
        ("It is called Momo.", f"{begin} and did NOT call the tool"),
        ("I do not know that.", f"{begin}, but did NOT say what only the system message told it"),
    ]:
        den.model.reply_with(reply)
        assert how in await written(den, capsys, 0, "doctor")


async def test_what_thoughts_left_undone_is_in_usage_and_in_doctor(
    den: Den, capsys: pytest.CaptureFixture[str]
) -> None:
    async with den.awake():
        den.model.thought_tokens = 10**6
        await den.talk(den.alice, "hello")
        used = (await use(den, den.moderator, "mod usage")).content
        assert "Not done for now, because the model spent all its tokens on thoughts" in used
    den.model.thought_tokens = 0
    assert "✗ model: since yesterday 1 calls were not done, because all" in await written(
        den, capsys, 1, "doctor"
    )


async def test_doctor_says_what_reading_links_lacks(
    den: Den, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_pages, "find_spec", lambda _: None)
    assert "✗ links: READ_LINKS is on, but pages cannot be read: run" in await written(
        den, capsys, 1, "doctor", read_links=True
    )


async def test_what_is_not_set_up_is_no_fault(den: Den, capsys: pytest.CaptureFixture[str]) -> None:
    nothing = {
        **dict.fromkeys(("discord_token", "openai_base_url", "openai_api_key")),
        "model_endpoints": {},
        "dashboard_names": ("kith.example",),
    }
    assert await run(den, "doctor", **nothing) == 0
    said = "\n".join(report(capsys))
    for line in (
        "– settings: DASHBOARD_NAMES has no effect without DASHBOARD_TOKEN",
        "– model: none is configured, so answers are plain",
        "– discord: DISCORD_TOKEN is not set.",
    ):
        assert line in said


async def test_each_part_that_is_wrong_is_named_beside_the_others(
    den: Den, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    token = "two\nlines"
    den.model.on_chat = lambda request: error(401, message="no", code="model_not_found")
    (tmp_path / "bad.db").write_bytes(b"this is no database at all" * 500)
    url = f"sqlite:///{tmp_path / 'bad.db'}"
    assert await run(den, "doctor", discord_token=token, database_url=url) == 1
    _, database, model, discord, *_ = lines = report(capsys)
    assert database.startswith("✗ database: The database file is damaged or is not a database;")
    assert model.startswith("✗ model: ")
    assert "does not accept my key (OPENAI_API_KEY)" in model
    assert discord.startswith("✗ discord: Discord refused DISCORD_TOKEN. Copy the token again")
    assert token not in "\n".join(lines)


async def test_discord_and_the_model_away(den: Den, capsys: pytest.CaptureFixture[str]) -> None:
    await den.fake.stop()
    await den.model.stop()
    said = await written(den, capsys, 1, "doctor")
    assert "✗ model: gpt-4.1-mini at 127.0.0.1: nothing answers there; check" in said
    assert "✗ discord: Discord can't be reached: the connection fails. Check this machine's" in said


async def test_the_embedding_model_answers_or_does_not(
    den: Den, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("numpy")
    assert await run(den, "doctor", embedding_model="minilm") == 0
    assert report(capsys)[4].startswith("✓ embedding: minilm answered with 64 dimensions")
    den.model.on_embeddings = lambda request: error(503)
    assert await run(den, "doctor", embedding_model="minilm") == 1
    line = report(capsys)[4]
    assert line.startswith("✗ embedding: ")
    assert "recall goes by words; check EMBEDDING_BASE_URL" in line
    den.model.on_embeddings = None
    nowhere = f"sqlite:///{tmp_path / 'none.db'}"
    assert await run(den, "doctor", embedding_model="minilm", database_url=nowhere) == 0
    assert report(capsys)[4] == "✓ embedding: minilm answered with 64 dimensions"


async def test_embeddings_without_their_packages_or_directory_are_a_wrong_setting(
    den: Den, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match="is no directory"):
        await run(den, "doctor", embedding_model=str(tmp_path / "none"))
    monkeypatch.setattr(services, "find_spec", lambda _name: None)
    with pytest.raises(SettingsError, match="requirements-embeddings"):
        await run(den, "doctor", embedding_model=str(tmp_path))


SERVER_URL = "mssql+pyodbc://kith:s%40cret@host/kith"
WELL = {
    "name": "kith",
    "is_read_committed_snapshot_on": True,
    "compatibility_level": 160,
    "collation_name": "SQL_Latin1_General_CP1_CI_AS",
    "is_read_only": False,
    "user_name": "kith",
    "may_create": 1,
    "may_alter": 1,
}


def server_that_is(
    monkeypatch: pytest.MonkeyPatch, *, rights: dict[str, object] | None = None, **settings: object
) -> OdbcServer:
    """A server with Kith's schema; ``rights`` are those on UserMemory that are not granted."""
    granted = dict.fromkeys(("may_select", "may_insert", "may_update", "may_delete"), 1)
    server = OdbcServer()
    server.answers += [
        (
            "INFORMATION_SCHEMA",
            [("alembic_version",), *((table.name,) for table in metadata.sorted_tables)],
        ),
        ("sys.objects", [("alembic_version",)]),
        ("alembic_version.version_num", [(migrations.head(),)]),
        ("is_read_committed_snapshot_on FROM", [(settings.get("snapshot", True),)]),
        ("HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME())", [WELL | settings]),
        (
            "FROM sys.tables",
            [
                {"name": table.name}
                | granted
                | (rights or {} if table.name == user_memory.name else {})
                for table in metadata.sorted_tables
            ],
        ),
    ]
    monkeypatch.setattr(drivers, "_import_pyodbc", server.module)
    return server


async def test_the_settings_of_a_server_are_one_table(
    den: Den, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    server_that_is(monkeypatch)
    assert await run(den, "doctor", database_url=SERVER_URL) == 0
    lines = report(capsys)
    assert lines[1].startswith("✓ database: SQL Server 16.0.4135.4, ")
    table = lines[2 : lines.index(next(line for line in lines if "model" in line))]
    rows = [[cell.strip() for cell in re.split(r"\s{2,}", line.strip())] for line in table]
    assert rows[0] == ["setting", "value", "what to change"]
    values = {name: (value, advice) for name, value, advice in rows[1:]}
    assert values["read committed snapshot"] == ("on", "–")
    assert values["compatibility level"] == ("160", "–")
    assert values["collation"][0].startswith("SQL_Latin1_General_CP1_CI_AS")
    assert values["driver"][0].startswith("ODBC driver libmsodbcsql-18.so 18.06.0002")
    assert values["encryption"] == ("encrypted", "–")
    assert re.fullmatch(r"\d+\.\d ms", values["round trip"][0])
    assert values["right UPDATE"] == ("on every table", "–")
    assert values["right to change tables"] == ("granted", "–")
    assert "s@cret" not in "\n".join(lines)


@pytest.mark.parametrize(
    ("settings", "row", "status"),
    [
        (
            {"is_read_committed_snapshot_on": False},
            r"  read committed snapshot +off +ALTER .* SET READ_COMMITTED_SNAPSHOT ON WITH",
            0,
        ),
        (
            {"is_read_only": True},
            r"✗ access +read-only +ALTER .*\[kith\] SET READ_WRITE;",
            1,
        ),
        (
            {"rights": {"may_update": 0}},
            r"✗ right UPDATE +missing on UserMemory +ALTER ROLE db_datawriter ADD MEMBER \[kith\];",
            1,
        ),
    ],
)
async def test_what_to_change_on_a_server_is_named(
    den: Den,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, object],
    row: str,
    status: int,
) -> None:
    server_that_is(monkeypatch, **settings)
    assert re.search(
        f"(?m)^{row}", await written(den, capsys, status, "doctor", database_url=SERVER_URL)
    )


async def test_a_database_from_a_newer_version(
    den: Den, sqlite_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'k9999'")
    connection.close()
    assert await run(den, "doctor", database_url=sqlite_url) == 1
    line = report(capsys)[1]
    assert line.startswith("✗ database: The database has schema k9999, made by a newer Kith")
    with pytest.raises(DatabaseUnusable, match="newer"):
        await run(den, "prune", database_url=sqlite_url)


async def test_a_server_with_the_database_of_a_development_version_is_refused(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    server_that_is(monkeypatch).answers.append(("alembic_version.version_num", [("0002",)]))
    with pytest.raises(DatabaseUnusable, match="schema 0002, made by a newer Kith or by a develop"):
        await run(den, "migrate", database_url=SERVER_URL)


async def test_a_database_that_is_not_there_yet_is_made_by_migrate(
    den: Den, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'new' / 'kith.db'}"
    assert await run(den, "migrate", database_url=url) == 0
    head = migrations.head()
    assert capsys.readouterr().out == f"The schema was empty and is {head} now.\n"
    assert (
        await written(den, capsys, 0, "migrate", database_url=url)
    ) == f"The schema is {head} already: there was nothing to do.\n"


async def test_live_reads_the_running_bots_heartbeat_and_tells_a_dead_bot(
    den: Den, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (await written(den, capsys, 1, "doctor", "--live")).startswith(
        "✗ live: no bot has sent a heartbeat yet;"
    )
    async with den.awake():
        await den.caught_up()
        assert (await written(den, capsys, 0, "doctor", "--live")).startswith(
            "✓ live: connected, latency "
        )
        den.clock.pass_time(-3600)
        await den.app.admin.job_runs.record_heartbeat("connected, latency 7 ms")
    said = await written(den, capsys, 1, "doctor", "--live")
    assert "✗ live: the last heartbeat is too old" in said
    assert said.index("wait in process memory") < said.index("start it again")


async def test_live_warns_of_a_restart_while_the_database_is_away(
    den: Den, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object, **__: object) -> None:
        raise DatabaseUnavailable

    monkeypatch.setattr(Database, "open", away)
    assert "keeps new messages in process memory; a restart would lose them." in await written(
        den, capsys, 1, "doctor", "--live"
    )


@pytest.mark.parametrize(("is_container", "wrong_by_s"), [(False, -3600), (True, 3600)])
async def test_live_tells_of_every_process_and_of_shards_that_nobody_has(
    den: Den, capsys: pytest.CaptureFixture[str], is_container: bool, wrong_by_s: int
) -> None:
    async with den.awake(shard_count=4, shard_ids=(0, 1)):
        await den.caught_up()
        upkeep = den.app.admin.job_runs
        upkeep._process = "another:9" if is_container else f"{upkeep.host}:0"
        await upkeep.record_heartbeat("connected, latency 7 ms, shards 2 of 4")
        said = await written(den, capsys, 0, "doctor", "--live")
        assert re.search(r"^✓ live: \S+, connected, latency \d+ ms, shards 0-1 of 4$", said, re.M)
        assert f"✓ live: {upkeep._process}, connected, latency 7 ms, shards 2 of 4\n" in said
        assert "✗ live: no running process has shard 3; start the one with these SHARD_" in said
        await upkeep.record_heartbeat("not connected, shards 2 of 4")
        assert await run(den, "doctor", "--live") == (0 if is_container else 1)
        assert f"✗ live: {upkeep._process}, not connected" in capsys.readouterr().out
        den.clock.pass_time(wrong_by_s)
        await upkeep.record_heartbeat("connected, latency 7 ms, shards 2-3 of 4")
        den.clock.pass_time(-wrong_by_s)
        assert await run(den, "doctor", "--live") == (0 if is_container else 1)
        assert "has shard 2-3;" in capsys.readouterr().out


async def test_prune_says_what_it_removed(den: Den, capsys: pytest.CaptureFixture[str]) -> None:
    async with den.awake():
        await den.caught_up()
        asked = await den.fake.say(den.alice, den.general, "<@bot> I own a boat")
        await den.answer_to(asked)
        await den.app.memory.recorder.settle()
        over = {"ExpiresAt": den.clock.now()}
        await den.app.database.write(
            lambda connection: connection.execute(update(user_memory), over)
        )
        await den.app.database.write(
            lambda connection: connection.execute(update(memory_event), over)
        )
    assert (await written(den, capsys, 0, "prune")) == (
        "Pruned: 1 expired and 0 surplus memories removed, 2 old messages erased.\n"
    )
    assert "Pruned: 0 expired and 0 surplus" in await written(den, capsys, 0, "prune")


async def test_where_no_file_can_be_read_the_doctor_says_so(
    den: Den, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(_arguments: object) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            "/bin/false", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )

    monkeypatch.setattr(sandbox, "_start", fails)
    assert "✗ attachments: files cannot be read: `python -m" in await written(
        den, capsys, 1, "doctor", attachments=True
    )


async def test_the_doctor_says_that_the_erasure_ledger_cannot_be_written(
    den: Den, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain").touch()
    for wrong in ("plain/ledger.jsonl", "."):
        assert "✗ ledger: The erasure ledger" in await written(
            den, capsys, 1, "doctor", erasure_ledger=tmp_path / wrong
        )
    place = tmp_path / "new" / "folder" / "ledger.jsonl"
    assert await run(den, "doctor", erasure_ledger=place) == 0
    assert not (tmp_path / "new").exists()
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert f"({tmp_path} is read-only for this user)" in await written(
        den, capsys, 1, "doctor", erasure_ledger=place
    )


async def test_the_doctor_checks_the_tokens_of_agents_without_quoting_them(
    den: Den, capsys: pytest.CaptureFixture[str]
) -> None:
    token = "agent-" * 5
    assert "✓ agents: MCP_TOKENS is valid; tokens: 2" in await written(
        den, capsys, 0, "doctor", mcp_tokens=SecretStr(f"{token}=111/222, {token}x=111")
    )
    said = await written(den, capsys, 1, "doctor", mcp_tokens=SecretStr(f"{token}=111/x"))
    assert "✗ agents: Please fix MCP_TOKENS in .env: entry 1 is not a token" in said
    assert token not in said


async def test_it_says_of_an_mcp_servers_tools_which_are_not_there_or_cannot_be_offered(
    den: Den, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = str(ROOT / "tests/fakes/choosy_mcp_program.py")
    command = [sys.executable, "-IS", program, "initialize", "ends", str(tmp_path / "starts")]
    listed = tmp_path / "mcp.toml"
    listed.write_text(f'[choosy]\ncommand = {command}\ntools = ["search", "count", "bank"]\n')
    said = await written(den, capsys, 1, "doctor", mcp_servers=listed)
    assert "choosy: count cannot be offered: its argument words cannot be expressed" in said
    assert "choosy: it does not have bank" in said
