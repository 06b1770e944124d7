"""The command `setup` against a loopback Discord and model: what it tries, says and writes."""

import asyncio
import os
import pty
import signal
import stat
import sys
from pathlib import Path

import pytest

from cogs.cli.setup import SetupDialogue, run_setup
from tests.fakes import preloaded
from tests.fakes.discord import TOKEN, FakeDiscord
from tests.fakes.model_server import FakeModelServer
from utils.common.errors import KithError

ROOT = Path(__file__).resolve().parents[2]
KEY = "sk-right"


@pytest.fixture
async def discord():
    async with FakeDiscord() as fake:
        yield fake


@pytest.fixture
async def model():
    async with FakeModelServer(
        api_key=KEY, models=["small", "\x1b[31mred", "a,red", "red\ud800"]
    ) as fake:
        yield fake


class Person:
    """Types prepared lines; remembers what was shown and which questions hid their answer."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.shown: list[str] = []
        self.hidden: list[str] = []

    def read(self, prompt: str) -> str:
        self.shown.append(prompt)
        if not self._lines:
            raise EOFError
        return self._lines.pop(0)

    def read_secret(self, prompt: str) -> str:
        self.hidden.append(prompt)
        return self.read(prompt)

    async def set_up(self, file: Path) -> str:
        dialogue = SetupDialogue(self.read, self.read_secret, self.shown.append)
        await asyncio.to_thread(run_setup, dialogue, file)
        return "\n".join(self.shown)


async def test_the_first_time(tmp_path, discord, model):
    file = tmp_path / ".env"
    person = Person(TOKEN, model.base_url, KEY, "small")
    said = await person.set_up(file)
    assert file.read_text(encoding="utf-8").splitlines() == [
        f"DISCORD_TOKEN={TOKEN}",
        f"OPENAI_BASE_URL={model.base_url}",
        f"OPENAI_API_KEY={KEY}",
        "CHAT_MODEL=small",
    ]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "✓ discord: the token is Kith#0000's" in said
    assert f"client_id={discord.application_id}&scope=bot+applications.commands" in said
    assert "✓ model: small at 127.0.0.1 answered." in said
    assert said.endswith("Next: python bot.py")
    assert len(model.chats) == 4, "an answer, a call in chat, a note, a verdict"
    assert "  1 small" in said.splitlines()
    assert len(person.hidden) == 2, "token and key are hidden while they are typed"


async def test_again_enter_keeps_everything_and_reveals_nothing(tmp_path, discord, model):
    file = tmp_path / ".env"
    await Person(TOKEN, model.base_url, KEY, "small").set_up(file)
    before = file.read_bytes()
    said = await Person("", "", "", "").set_up(file)
    assert file.read_bytes() == before
    assert all(words in said for words in ("Nothing changed", "[set]", "[small]"))
    assert not any(secret in said for secret in (TOKEN, KEY))


async def test_everything_wrong_first(tmp_path, discord, model):
    address = model.base_url
    unused = "http://127.0.0.1:9/v1"
    person = Person(
        *("not.the.token", TOKEN),
        *(unused, KEY, "small"),
        *(address, "sk-wrong", "small"),
        *("", KEY, "huge"),
        *("", "", "small"),
    )
    said = await person.set_up(tmp_path / ".env")
    assert "✗ discord: Discord refused DISCORD_TOKEN." in said
    failures = [line for line in said.splitlines() if line.startswith("✗ model: ")]
    assert len(failures) == 3
    away, key, name = failures
    assert "nothing answers there" in away
    assert "key" in key
    assert "CHAT_MODEL" in name or "huge" in name or "model" in name
    assert "✓ model: small" in said
    assert f"OPENAI_API_KEY={KEY}\nCHAT_MODEL=small" in (tmp_path / ".env").read_text("utf-8")


async def test_input_that_ends_early_or_is_no_setting_writes_nothing(tmp_path, discord):
    file = tmp_path / ".env"
    with pytest.raises(KithError, match="nothing was written"):
        await Person(TOKEN).set_up(file)
    person = Person("tokén", "two words", "\x1b[A")
    with pytest.raises(KithError, match="nothing was written"):
        await person.set_up(file)
    assert sum("type it again" in line for line in person.shown) == 3
    assert not file.exists()


async def test_a_process_reads_its_answers_from_a_pipe(tmp_path, model):
    program = (sys.executable, str(ROOT / "bot.py"), "setup")
    process = await preloaded.start(
        *program,
        cwd=tmp_path,
        env=dict(os.environ),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    lines = f"\n{model.base_url}\n{KEY}\nsmall\n"
    out, err = await process.communicate(lines.encode())
    assert (process.returncode, err) == (0, b"")
    assert "✓ model: small at 127.0.0.1 answered." in out.decode().splitlines()
    assert KEY not in out.decode()
    assert f"OPENAI_API_KEY={KEY}\n" in (tmp_path / ".env").read_text("utf-8")


async def test_a_terminal_hides_what_is_typed_and_ctrl_c_leaves_everything(tmp_path):
    file = tmp_path / ".env"
    file.write_text("LOG_LEVEL=DEBUG\n", encoding="utf-8")
    leader, follower = pty.openpty()
    process = await preloaded.start(
        *(sys.executable, str(ROOT / "bot.py"), "setup"),
        cwd=tmp_path,
        env=dict(os.environ),
        stdin=follower,
        stdout=follower,
        stderr=follower,
        start_new_session=True,
    )
    os.close(follower)
    shown = await asyncio.to_thread(_read_until, leader, b"Reset Token): ")
    os.write(leader, b"-\n")
    shown += await asyncio.to_thread(_read_until, leader, b"compatible endpoint: ")
    os.write(leader, b"\n")
    shown += await asyncio.to_thread(_read_until, leader, b"needs none): ")
    os.write(leader, b"sk-hidden")
    process.send_signal(signal.SIGINT)
    assert await process.wait() == 130
    shown += await asyncio.to_thread(_read_until, leader, None)
    os.close(leader)
    assert b"sk-hidden" not in shown and b"Traceback" not in shown
    assert file.read_text("utf-8") == "LOG_LEVEL=DEBUG\n"
    assert [path.name for path in tmp_path.iterdir()] == [".env"]


def _read_until(terminal: int, words: bytes | None) -> bytes:
    """Return what the terminal shows up to these words; None: to the end."""
    shown = b""
    while words is None or words not in shown:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # Linux's way to say that the other side is closed
            part = b""
        if not part:
            break
        shown += part
    return shown
