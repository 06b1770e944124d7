"""`bot.py demo` and `bot.py dashboard` as processes: the link, the pages, what ends them."""

import asyncio
import os
import re
import shutil
import signal
import socket
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from cogs.demo.command import BUILDING, demo_settings
from tests.e2e.den import PATIENCE_S
from tests.fakes.processes import start_program

ROOT = Path(__file__).resolve().parents[2]
# The command demo over a copy of the community, which takes seconds to build.
DEMO_OF_A_COPY = """
import shutil, sys, bot
from cogs.demo import command

async def copy(settings, _community, progress):
    shutil.copy({community!r}, settings.database_url.removeprefix("sqlite:///"))

command.build_community = copy
sys.exit(bot.main(["demo", *sys.argv[1:]]))
"""
LINK = re.compile(r"(http://127\.0\.0\.1:\d+)(/enter/\S+)")


@pytest.fixture
def community_url(demo_file, tmp_path) -> str:
    """A copy of the demo's database."""
    return demo_settings(shutil.copy(demo_file, tmp_path / "kith.db")).database_url


@pytest.fixture
def quick_demo(demo_file) -> tuple[str, str]:
    """The demo whose community is built already: what Python is to run."""
    return "-c", DEMO_OF_A_COPY.format(community=str(demo_file))


@asynccontextmanager
async def program(folder: Path, *arguments: str, script=(str(ROOT / "bot.py"),), **environment):
    """Run bot.py in a folder, without any setting of this machine, until the block ends."""
    surroundings = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)}
    async with start_program(
        *(sys.executable, *script, *arguments),
        cwd=folder,
        env=surroundings | environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    ) as process:
        yield process


async def read_until(process, pattern: re.Pattern[str]) -> tuple[str, re.Match[str]]:
    """Return what the process printed up to a line with the pattern, and the match."""
    said = ""
    async with asyncio.timeout(4 * PATIENCE_S):
        while line := (await process.stdout.readline()).decode():
            said += line
            if match := pattern.search(line):
                return said, match
    raise AssertionError(said + (await process.stderr.read()).decode())


async def end(process, number: int = signal.SIGINT) -> str:
    """Send a signal; return what was printed after it."""
    process.send_signal(number)
    out, err = await process.communicate()
    assert (process.returncode, re.sub(rb"Playing: .*\n", b"", err)) == (0, b"")
    return out.decode()


async def test_the_demo_opens_at_a_link_and_leaves_nothing_behind(tmp_path, quick_demo):
    async with program(tmp_path, script=quick_demo) as process:
        said, match = await read_until(process, LINK)
        assert "made-up" in said
        async with httpx2.AsyncClient(base_url=match[1]) as client:
            answer = await client.get(match[2])
            assert (answer.status_code, answer.headers["location"]) == (303, "/")
            shown = "".join([(await client.get(path)).text for path in ("/", "/servers")])
            assert re.search("is made up.*[0-9] expires? later.*Lantern Lane", shown, re.DOTALL)
            client.cookies.clear()
            assert (await client.get(match[2])).status_code == 401
        assert [path.name.startswith("kith-demo-") for path in tmp_path.iterdir()] == [True]
        assert "bot.py console --database sqlite:////" in await end(process)
    assert not list(tmp_path.iterdir())


async def test_a_demo_that_is_kept_can_be_talked_to(tmp_path, quick_demo):
    async with program(tmp_path, "--keep", script=quick_demo) as process:
        await read_until(process, LINK)
        rest = await end(process, signal.SIGTERM)
    (database,) = re.findall(r"--database (\S+)", rest)
    async with program(tmp_path, "console", "--database", database) as process:
        out, _ = await process.communicate(b":as Priya\nwhere do I live?\n")
    assert "York" in out.decode()


async def test_the_dashboard_opens_over_a_database_without_discord(tmp_path, community_url):
    options = ("dashboard", "--port", "0", "--database", community_url)
    async with program(tmp_path, *options) as process:
        _, match = await read_until(process, LINK)
        async with httpx2.AsyncClient(base_url=match[1], follow_redirects=True) as client:
            page = (await client.get(match[2])).text
            assert "without a connection to Discord" in page
            paths = ("/servers", "/servers/1", "/review", "/audit", "/policy", "/settings")
            for path in (*paths, "/policy/servers/1", "/memories/1", "/recall"):
                answer = await client.get(path)
                assert answer.status_code == 200, path
            assert "Server 1" in (await client.get("/servers")).text
            assert "Priya" in (await client.get("/servers/1")).text
            token = re.search(r'name="csrf" value="([^"]+)"', page)
            form = {
                "guild": "1",
                "channel": "5",
                "member": "Priya",
                "text": "cake",
                "csrf": token[1],
            }
            answer = await client.post("/recall", data=form)
            assert answer.status_code == 400
            assert "known only while the bot is connected to Discord" in answer.text
        await end(process)


async def test_a_database_or_a_port_that_cannot_be_used_is_said_in_a_sentence(tmp_path, quick_demo):
    missing = f"sqlite:///{tmp_path / 'nowhere.db'}"
    async with program(tmp_path, "dashboard", "--database", missing) as process:
        _, err = await process.communicate()
        assert process.returncode == 1
        assert len(err.decode().strip().splitlines()) == 1
        assert "Traceback" not in err.decode()
    assert not (tmp_path / "nowhere.db").exists()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        async with program(tmp_path, "--port", port, script=quick_demo) as process:
            out, err = await process.communicate()
            assert process.returncode == 1
            assert BUILDING not in out.decode()  # which takes longer than a look at the port
            assert f"cannot listen on 127.0.0.1, port {port}" in err.decode()
            assert "--port N" in err.decode()
            assert ".env" not in err.decode()  # the demo does not read it
    assert not list(tmp_path.iterdir())


async def test_ending_the_demo_while_it_is_built_leaves_nothing_behind(tmp_path):
    async with program(tmp_path, "demo") as process:
        await read_until(process, re.compile("Building"))
        process.send_signal(signal.SIGHUP)
        _, err = await process.communicate()
        assert (process.returncode, err) == (130, b"")
    assert not list(tmp_path.iterdir())
