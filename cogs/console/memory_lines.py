"""/memory … in the terminal: the same doors and the same sentences as in Discord."""

from collections.abc import Awaitable, Callable
from zoneinfo import ZoneInfo

from cogs.memory_pages import (
    forgotten_in_words,
    found_pages,
    memory_line,
    memory_number,
    memory_pages,
    undone_in_words,
    unknown_memory,
    why_page,
)
from cogs.texts import CONSENT_CHOSEN, consent_in_words
from utils.core import Core
from utils.errors import BadInput
from utils.model.memory import Consent, Member
from utils.model.transfer import Statement

THERE_IS = (
    "There is /memory show [page], search WORDS, why N, correct N TEXT, undo N, forget N|all, "
    "consent [lasting|temporary|off] and export."
)


class MemoryLines:
    """Carries out what a person types after /memory; returns what to write."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._actions: dict[str, Callable[[Member, list[str]], Awaitable[str]]] = {
            "show": self._show,
            "search": self._search,
            "why": self._why,
            "undo": self._undo,
            "forget": self._forget,
            "consent": self._consent,
            "export": self._export,
        }

    async def answer(
        self, member: Member, arguments: list[str], said: Callable[[str], Statement]
    ) -> str:
        """Answer one line. ``said`` makes a statement of what the person typed."""
        action, *rest = arguments or ["show"]
        if action == "correct":
            return await self._correct(member, rest, said)
        if action not in self._actions:
            raise BadInput(THERE_IS)
        return await self._actions[action](member, rest)

    async def _show(self, member: Member, rest: list[str]) -> str:
        shown = await self._core.reader.show(member)
        pages = memory_pages(shown, self._core.clock.now(), await self._zone(member))
        word = rest[0] if rest else "1"
        page = int(word) if word.isdecimal() and len(word) < 10 else 0
        if not 1 <= page <= len(pages):
            raise BadInput(f"There are pages 1 to {len(pages)}.")
        return pages[page - 1]

    async def _search(self, member: Member, rest: list[str]) -> str:
        words = " ".join(rest)
        found = await self._core.searcher.of_member(member, words)
        now, zone = self._core.clock.now(), await self._zone(member)
        return "\n".join(found_pages(found, words, now, zone))

    async def _why(self, member: Member, rest: list[str]) -> str:
        number = memory_number(" ".join(rest))
        why = await self._core.reader.why(member, number)
        if why is None:
            raise unknown_memory(number)
        zone = await self._zone(member)
        return why_page(why, member.guild_id, self._core.clock.now(), zone)

    async def _correct(
        self, member: Member, rest: list[str], said: Callable[[str], Statement]
    ) -> str:
        if len(rest) < 2:
            raise BadInput("Say which, and what is true instead: /memory correct 12 likes tea.")
        number = memory_number(rest[0])
        row = await self._core.keeper.correct(member, number, said(" ".join(rest[1:])))
        line = memory_line(row, self._core.clock.now(), await self._zone(member))
        return f"Corrected: {line}"

    async def _undo(self, member: Member, rest: list[str]) -> str:
        rows = await self._core.keeper.undo(member, memory_number(" ".join(rest)))
        return undone_in_words(rows, self._core.clock.now(), await self._zone(member))

    async def _forget(self, member: Member, rest: list[str]) -> str:
        what = " ".join(rest)
        if what in ("all", "everything"):
            return forgotten_in_words(await self._core.keeper.forget_all(member))
        if not what:
            raise BadInput("Say which: /memory forget 12, or /memory forget all.")
        try:
            number = memory_number(what)
        except BadInput:
            raise BadInput("Give the number that /memory show prints, or all.") from None
        if not await self._core.keeper.forget(member, number):
            raise unknown_memory(number)
        return f"Forgotten: #{number}."

    async def _consent(self, member: Member, rest: list[str]) -> str:
        if not rest:
            shown = await self._core.reader.show(member)
            return consent_in_words(shown.consent, shown.choices)
        if rest not in [[choice.value] for choice in Consent]:
            raise BadInput("There is /memory consent [lasting|temporary|off].")
        choice = Consent(rest[0])
        await self._core.keeper.set_consent(member, choice)
        return CONSENT_CHOSEN[choice]

    async def _export(self, member: Member, rest: list[str]) -> str:
        return (await self._core.reader.export(member, await self._zone(member))).text

    async def _zone(self, member: Member) -> ZoneInfo:
        return ZoneInfo((await self._core.guilds.get(member.guild_id)).time_zone)
