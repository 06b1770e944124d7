"""The console at a real terminal: prompt, history, paste, streaming, Ctrl-C, what is learnt."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from tests.e2e.den import ROOT, attentive
from tests.fakes.model_server import FakeModelServer, Writing
from tests.fakes.terminal import Terminal, in_terminal

UP = "\x1b[A"
GUEST = "Guest #general>"
COLOUR = re.compile(r"\x1b\[[0-9;]*(?:3[0-7]|38;5|4[0-7]|9[0-7])[0-9;]*m")


@asynccontextmanager
async def console(folder: Path, **environment: str) -> AsyncIterator[Terminal]:
    command = [sys.executable, str(ROOT / "bot.py"), "console"]
    async with in_terminal(command, environment, folder) as terminal:
        yield terminal


SLOW_START = "The first start takes some seconds"  # where the machine is loaded


def at_prompt(prompt: str, after: str = "") -> "re.Pattern[str]":
    return re.compile(re.escape(after) + r"[^§]*" + re.escape(prompt) + r"\s*\Z")


async def prompts(terminal: Terminal, prompt: str = GUEST, after: str = "") -> str:
    pattern = at_prompt(prompt, after)
    return await terminal.sees(lambda text: bool(pattern.search(text)))


async def leave(terminal: Terminal, goodbye: str = "Bye. I'll remember.") -> str:
    terminal.press("D")
    assert await terminal.ends() == 0
    assert terminal.screen.text.endswith(goodbye)
    assert "Traceback" not in terminal.screen.raw
    return terminal.screen.text


async def test_it_says_what_it_is_and_what_was_learnt_corrected_or_forgotten(
    tmp_path: Path,
) -> None:
    async with console(tmp_path) as terminal:
        screen = await prompts(terminal)
        first = [line for line in screen.splitlines()[:-1] if not line.startswith(SLOW_START)]
        assert len(first) < 8
        assert "I remember what you tell me about yourself" in first[0]
        assert "No language model: I quote what you told me." in screen
        assert "kept in data/kith.db, on this computer only" in screen
        for line, name, shown in (
            (
                "My name is Sam and I live in Lisbon",
                "Sam",
                "  + name is Sam   + “My name is Sam and",
            ),
            ("I have a dog named Rex", "Sam", "  + “I have a dog named Rex”\n"),
            ("no, it is Max", "Sam", "Corrected: “I have a dog named Max”"),
            ("forget that I have a dog", "Sam", "  - forgot: I have a dog named Max\n"),
            (":as Robin", "Robin", ""),
            ("Ich heiße Anna", "Anna", "+ heißt Anna"),
            ("Ich wohne in Hamburg", "Anna", "+ „Ich wohne in Hamburg“"),
            ("vergiss, dass ich in Hamburg wohne", "Anna", "- vergessen: "),
        ):
            terminal.type(line)
            await prompts(terminal, f"{name} #general>", shown)
        await leave(terminal, "Tschüss. Ich merke es mir.")
    async with console(tmp_path) as terminal:
        screen = await prompts(terminal, "Sam #general>")
        assert "Welcome back, Sam! I keep 2 things you told me" in screen
        terminal.type(":as anna")
        await prompts(terminal, "Anna #general>")
        terminal.press("C")
        assert await terminal.ends() == 0
        assert "Traceback" not in terminal.screen.raw


async def test_pasted_lines_are_one_message_and_come_back_and_commands_are_completed(
    tmp_path: Path,
) -> None:
    async with console(tmp_path) as terminal:
        await prompts(terminal)
        terminal.paste("I have a dog named Rex\nI love tea")
        terminal.type("")
        screen = await prompts(terminal, after="  + ")
        assert screen.count("Kith  ") == 1
        assert "dog named Rex" in screen.partition("  + ")[2]
        assert "I love tea" in screen.partition("  + ")[2]
        terminal.press(UP)
        await terminal.sees("Guest #general> I have a dog named Rex\n  I love tea")
        terminal.press("C")  # clears the line
        await prompts(terminal)
        terminal.type("/memory forget all")
        await prompts(terminal, after="- forgot")
        terminal.press(UP)  # brings nothing back: every line is forgotten, too
        terminal.type("hello there", enter=False)
        await terminal.sees(f"{GUEST} hello there")
        terminal.press("C")
        await prompts(terminal)
        await leave(terminal)
    async with console(tmp_path, NO_COLOR="1") as terminal:
        await prompts(terminal)
        terminal.type("/memory show")
        await prompts(terminal, after="Just talk to me")
        terminal.type("/mem\t", enter=False)
        await terminal.sees(f"{GUEST} /memory")
        terminal.type("cons\t", enter=False)
        await terminal.sees(f"{GUEST} /memory consent")
        for line, shown in (
            ("", "your choice"),
            (":clokc +8d", "Did you mean :clock?"),
            ("help", "/memory why 3"),
            ("/memory consent off", "/memory consent off"),
            ("I love tea", "I do not keep it."),
        ):
            terminal.type(line)
            await prompts(terminal, after=shown)
        terminal.type("exit")
        assert await terminal.ends() == 0
        assert not COLOUR.search(terminal.screen.raw)


# --- with a model -------------------------------------------------------------------------------


@asynccontextmanager
async def console_with_model(folder: Path) -> AsyncIterator[tuple[Terminal, FakeModelServer]]:
    async with (
        FakeModelServer() as model,
        console(folder, OPENAI_BASE_URL=model.base_url) as terminal,
    ):
        yield terminal, model


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def talk(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[tuple[Terminal, FakeModelServer]]:
    """A console in which the tests of this module talk one after the other."""
    async with console_with_model(tmp_path_factory.mktemp("talk")) as (terminal, model):
        await prompts(terminal)
        yield terminal, model
        await leave(terminal)


IN_ONE_CONSOLE = pytest.mark.asyncio(loop_scope="module")


async def ask_of_rome(terminal: Terminal, model: FakeModelServer) -> Writing:
    """Ask something; returns what the model writes its answer with, once it has begun."""
    model.reply_with(pen := Writing())
    terminal.type("Tell me of Rome")
    await pen.begun.wait()
    return pen


@IN_ONE_CONSOLE
async def test_an_answer_is_shown_while_it_is_written(
    talk: tuple[Terminal, FakeModelServer],
) -> None:
    terminal, model = talk
    pen = await ask_of_rome(terminal, model)
    pen.write("Rome is **very** old and ")
    await terminal.sees("Kith  Rome is very old and")
    pen.finish("lies on seven hills.")
    assert (await prompts(terminal, after="seven hills.")).count("Rome is very old") == 1


@IN_ONE_CONSOLE
async def test_ctrl_c_stops_the_answer_and_keeps_what_was_written(
    talk: tuple[Terminal, FakeModelServer],
) -> None:
    terminal, model = talk
    pen = await ask_of_rome(terminal, model)
    pen.write("Rome was founded by twins and ")
    await terminal.sees("founded by twins")
    terminal.press("C")
    screen = await prompts(terminal, after="(stopped)")
    assert screen.count("Kith  Rome was founded by twins") == 1


@IN_ONE_CONSOLE
async def test_an_answer_cannot_write_control_characters(
    talk: tuple[Terminal, FakeModelServer],
) -> None:
    terminal, model = talk
    hostile = ("\x1b]0;title\x07hi", "<b>bold</b> & [x](y)", "\x9b31mred")
    for number, words in enumerate(hostile):
        model.reply_with(f"before{number} {words} after{number}")
        terminal.type("hello")
        screen = await prompts(terminal, after=f"after{number}")
        assert f"before{number}" in screen
    assert "\x1b]0;title" not in terminal.screen.raw
    assert "\x9b" not in terminal.screen.raw
    assert "<b>bold</b>" in screen


async def test_leaving_waits_until_the_last_lines_are_read(tmp_path: Path) -> None:
    async with console_with_model(tmp_path) as (terminal, model):
        begun, released = asyncio.Event(), asyncio.Event()

        async def extract(request: dict[str, object]) -> object:
            begun.set()
            await released.wait()
            return attentive(request)

        model.reply_with("A fine place.")
        model.extract_with(extract)
        await prompts(terminal)
        terminal.type("I live in Lisbon")
        await prompts(terminal, after="A fine place.")
        await begun.wait()
        terminal.press("D")
        await terminal.sees("One moment")
        released.set()
        await terminal.sees("+ lives in Lisbon")
        assert await terminal.ends() == 0
        assert terminal.screen.text.endswith("Bye. I'll remember.")


async def test_ctrl_c_while_the_program_is_still_loading_ends_it_quietly(tmp_path: Path) -> None:
    (tmp_path / "argparse.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n"
    )
    async with console(tmp_path, PYTHONPATH=str(tmp_path)) as terminal:
        assert await terminal.ends() == 130
        assert terminal.screen.text == ""
