"""Kith follows a conversation, closes it, and comes back to it; with bot.py's own composition."""

from typing import Any

import pytest

from tests.e2e.den import DAY_S, NEVER_BY_ITSELF_S, Den
from tests.fakes.discord import perms
from tests.fakes.model_server import ChatRequest, prompt_of
from tests.fakes.scribe import lines_said
from utils.memory.episodes import episode_service
from utils.memory.episodes.summarizer import LISTS

READS = perms("view_channel", "read_message_history", "send_messages")
INTERVIEW = "I will tell you how my interview went, I promise"


def scribble(request: ChatRequest) -> dict[str, Any]:
    """Summarise as a diligent model would: everything, and promises."""
    asked = prompt_of(request, "user")
    people = asked.partition("WHO IS WHO\n")[2].splitlines()
    said = [line.removesuffix(".") for line in lines_said(asked)]
    name = request["tools"][0]["function"]["name"]
    summary = {"summary": " ".join(f"{line}." for line in said)}
    if name == "summarise_chapter":
        return summary
    return {
        **summary,
        "topic": "this and that",
        **{key: [] for key in LISTS},
        "loops": [
            {
                "person": people[0].partition(" = ")[0],
                "kind": "promise",
                "text": "tell how my interview went",
                "quote": line,
            }
            for line in said
            if "promise" in line
        ],
        "memories": [],
    }


@pytest.fixture(autouse=True)
def scribbling(den: Den, monkeypatch: pytest.MonkeyPatch) -> None:
    """After its start, the chronicler works when a test says so: it could be half-way through."""
    den.model.summarise_with(scribble)
    monkeypatch.setattr(episode_service, "GATHER_S", NEVER_BY_ITSELF_S)
    monkeypatch.setattr(episode_service, "SWEEP_EVERY_S", NEVER_BY_ITSELF_S)


async def pass_time(den: Den, seconds: float) -> None:
    await den.caught_up()  # or what it does would seem to have taken that long
    den.clock.pass_time(seconds)
    den.fake.advance(seconds)
    await den.app.memory.episodes.catch_up()


async def small_talk(den: Den, turns: int = 5) -> None:
    for number in range(turns):
        await den.talk(den.bob, f"hm {number}")


async def test_the_day_after_a_restart_it_remembers_what_was_talked_about_and_asks(
    den: Den,
) -> None:
    async with den.awake():
        await den.talk(den.alice, "let us plan the LAN party for Saturday")
        await den.app.memory.episodes.catch_up()
    async with den.awake():
        await den.talk(den.alice, INTERVIEW)
        await pass_time(den, DAY_S)
        assert len(den.summaries()) == 1
        await small_talk(den)
        await den.talk(den.alice, "hello! what about the LAN party?")
        words = den.last_words()
        assert "Open: Alice: tell how my interview went (promised, yesterday)" in words
        assert "let us plan the LAN party for Saturday" in words.partition("Earlier: ")[2]
        den.model.reply_with("Hi Alice! How did the interview go? [asked 1]")
        answer = await den.talk(den.alice, "and again?")
        assert answer.content == "Hi Alice! How did the interview go?"
        assert "Open: " in den.last_words()
        await den.app.memory.reader.write_uses()
        await den.talk(den.alice, "it went well!")
        assert "Open: " not in den.last_words()


async def test_a_deleted_message_is_in_no_summary_any_more(den: Den) -> None:
    async with den.awake():
        await den.talk(den.alice, "let us plan the LAN party for Saturday")
        gone = await den.teach(den.alice, "the LAN party is at Zanzibar")
        await den.talk(den.bob, "I bring the LAN switch")
        await pass_time(den, DAY_S)
        await small_talk(den, 10)
        await den.fake.delete(gone)
        await den.calm()
        await den.app.memory.episodes.catch_up()
        await den.talk(den.bob, "what about the LAN party?")
        assert "I bring the LAN switch" in den.last_words().partition("Earlier: ")[2]
        assert "Zanzibar" not in str(den.prompts()[-1]["messages"])


async def test_what_was_talked_about_in_private_is_not_told_in_public(den: Den) -> None:
    async with den.awake():
        cellar = den.guild.add_text_channel("cellar", private=True)
        for reader in (den.guild.bot_role, den.alice):
            cellar.overwrite(reader, allow=READS)
        for text in ("let us plan the LAN party", "a surprise LAN party for Bob"):
            await den.talk(den.alice, text, cellar)
        await den.talk(den.alice, INTERVIEW, den.dm(den.alice))
        await den.talk(den.alice, "and more of it", den.dm(den.alice))
        await pass_time(den, DAY_S)
        assert len(den.summaries()) == 2
        await den.talk(den.alice, "what about the LAN party?")
        assert "surprise" not in den.last_words()
        assert "Open: " not in den.last_words()
        await den.talk(den.alice, "what about the LAN party?", den.dm(den.alice))
        assert "surprise" not in den.last_words()
        assert "Open: " in den.last_words()
