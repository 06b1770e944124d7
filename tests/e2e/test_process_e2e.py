"""The real process: started, told to stop, killed, refused."""

import asyncio
import signal
from pathlib import Path

import pytest

import bot
from tests.e2e.den import PATIENCE_S, Den, Held, open_den, started
from tests.fakes.discord import TOKEN
from utils.common.errors import KithError, SettingsError
from utils.runtime.stopping import FORCED_EXIT

REFUSED = "Discord refused DISCORD_TOKEN. Copy the token again from the Developer Portal"


async def until_connected(den: Den) -> None:
    await den.fake.wait_ready(timeout=PATIENCE_S)


async def test_told_to_stop_it_finishes_its_answer_and_reads_what_it_heard(den: Den) -> None:
    den.model.reply_with(held := Held("My unrepeatable answer"))
    async with den.process(LOG_LEVEL="DEBUG", OPENAI_API_KEY="sk-unspeakable") as process:
        await until_connected(den)
        asked = await den.say(den.alice, "I have a dog named Rex")
        await den.wait_prompts(1)
        process.tell(signal.SIGTERM)
        await process.read_until("I take no more messages", in_log=True)
        await den.say(den.bob, "I have a cat named Tom")
        held.release()
        answer = await den.answer_to(asked)
        assert await process.ends() == 0
        assert answer.content == "My unrepeatable answer"
    assert den.answers() == [answer]
    assert "Traceback" not in process.err
    assert process.out == ""
    assert [
        secret
        for secret in ("Rex", "unrepeatable", "sk-unspeakable", TOKEN)
        if secret in process.err  # even at DEBUG
    ] == []
    async with den.awake():
        assert await den.known_of(den.alice) == ["has a dog named Rex"]
    # What Bob said meanwhile may be read by now, after the start.
    assert str(den.extractions()).count("s1: I have a dog named Rex") == 1


async def test_told_twice_to_stop_it_ends_at_once_and_reads_it_later(den: Den) -> None:
    den.model.reply_with(Held())
    async with den.process() as process:
        await until_connected(den)
        await den.say(den.alice, "I have a dog named Rex")
        await den.wait_prompts(1)
        process.tell(signal.SIGTERM)
        await process.read_until("stopping: I finish", in_log=True)
        process.tell(signal.SIGTERM)
        assert await process.ends(within_s=30) == -signal.SIGTERM  # an answer is given 45 s
    async with den.awake():
        assert await den.learnt_of(den.alice) == ["has a dog named Rex"]


@pytest.mark.slow
async def test_told_to_stop_while_a_shard_reconnects_it_ends(den: Den) -> None:
    gateway = den.fake.gateway
    async with den.process() as process:
        await until_connected(den)
        before = set(gateway.connections)
        gateway.answering = False
        await den.fake.drop_connection(4000)
        await den.fake.wait_until(
            lambda: bool(gateway.connections - before), "a new connection", timeout=PATIENCE_S
        )
        process.tell(signal.SIGTERM)
        assert await process.ends(within_s=20) == 0
    assert "Traceback" not in process.err


async def test_at_the_deadline_it_ends_even_if_an_answer_never_does(
    den: Den, tmp_path: Path
) -> None:
    script = tmp_path / "bot_with_short_deadline.py"
    short = "from utils.runtime import stopping\nstopping.STOP_DEADLINE_S = 1.0\n"
    script.write_text(f"import sys, bot\n{short}sys.exit(bot.main())\n")
    den.model.reply_with(Held())
    command = den.fake.command_line(str(script))
    async with started(command, den.environment()) as process:
        await until_connected(den)
        await den.say(den.alice, "I have a dog named Rex")
        await den.wait_prompts(1)
        process.tell(signal.SIGTERM)
        assert await process.ends(within_s=30) == FORCED_EXIT
    assert "the process ends now" in process.err
    async with den.awake():
        assert await den.learnt_of(den.alice) == ["has a dog named Rex"]


async def test_killed_between_answer_and_extraction_it_reads_it_later_and_once(den: Den) -> None:
    async with den.process() as process:
        await until_connected(den)
        await den.talk(den.alice, "I have a dog named Rex")
        process.tell(signal.SIGKILL)
        assert await process.ends() == -signal.SIGKILL
    assert not den.extractions()
    async with den.awake(burst_quiet_s=0):
        await den.model.wait_requests(2)  # at once: nobody has to say anything again
        assert await den.learnt_of(den.alice) == ["has a dog named Rex"]
        await den.talk(den.alice, "which dog do I have?")
        assert "Has a dog named Rex" in den.last_words()
    assert len([one for one in den.extractions() if "dog named Rex" in str(one)]) == 2


async def test_with_a_wrong_token_it_says_so_and_ends(den: Den) -> None:
    async with den.process(DISCORD_TOKEN="not.the.token") as process:
        assert await process.ends() == bot.WRONG_SETTING
    assert process.out == ""
    assert process.err.strip().splitlines()[-1].startswith(REFUSED)
    assert "Traceback" not in process.err
    assert "not.the.token" not in process.err


@pytest.mark.slow
async def test_with_the_intent_switched_off_the_process_talks_all_the_same(
    database_url: str,
) -> None:
    async with open_den(database_url, message_content=False) as den, den.process() as process:
        await den.fake.wait_until(lambda: 4014 in den.fake.gateway.closed_with, "4014")
        await until_connected(den)
        await den.talk(den.alice, "hello")
        process.tell(signal.SIGINT)
        assert await process.ends() == 0
    assert "the Message Content intent is off in the Developer Portal" in process.err
    assert "Traceback" not in process.err


async def test_when_discord_is_away_it_says_so_and_ends(den: Den) -> None:
    await den.fake.stop()
    with pytest.raises(KithError, match=r"Discord can't be reached: the connection fails\. "):
        await bot.execute(bot.command_line().parse_args([]), den.settings())


@pytest.mark.parametrize(
    ("code", "named"),
    [
        (4004, REFUSED),
        (4010, "Discord refused SHARD_IDS of SHARD_COUNT"),
        (4013, "Get the newest"),
    ],
)
async def test_closed_for_good_by_discord_it_ends_and_names_the_setting(
    den: Den, code: int, named: str
) -> None:
    running = asyncio.create_task(
        bot.execute(bot.command_line().parse_args(["run"]), den.settings())
    )
    await until_connected(den)
    await den.fake.drop_connection(code)
    with pytest.raises(SettingsError, match=named):
        await running


def test_settings_that_make_no_sense_are_named_and_never_quoted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)  # away from any .env
    monkeypatch.setenv("MEMBER_COOLDOWN_S", "secret-nonsense")
    monkeypatch.setenv("DATABASE_URL", "oracle://me:secret@host")
    assert bot.main(["doctor"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("✗ Please fix these settings in .env: DATABASE_URL must begin ")
    assert "MEMBER_COOLDOWN_S" in said
    assert "secret" not in said
    assert said.count("\n") == 1
