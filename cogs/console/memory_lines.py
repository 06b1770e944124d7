"""/memory … in the terminal: the same services and texts as in Discord."""

from collections.abc import Callable
from dataclasses import dataclass

from cogs.bot.texts import CONSENT_CHOSEN, Translate, consent_text
from cogs.memory.display import Display
from cogs.memory.items import correct_item, forget_item, parse_item, why_text
from cogs.memory.memory_text import CORRECTED, FORGOTTEN
from cogs.memory.pages import (
    Subject,
    forgotten_in_words,
    memory_number,
    memory_pages,
    search_pages,
    undone_in_words,
)
from utils.app import App
from utils.common.errors import BadInput
from utils.memory.member_data.search import SearchFilter
from utils.models.memory import Consent, Member
from utils.models.transfer import Statement


@dataclass(eq=False, repr=False)
class MemoryLines:
    """Runs what a person types after /memory; ``tr`` returns a text in the person's language."""

    _app: App
    _tr: Translate

    async def answer(
        self, member: Member, arguments: list[str], make_statement: Callable[[str], Statement]
    ) -> str:
        """Return the answer to one line. ``make_statement`` turns typed text into a statement."""
        app, (action, *options) = self._app, arguments or ["show"]
        zone = (await app.guilds.settings.get(member.guild_id)).zone
        display = Display(app.clock.now(), zone, self._tr)
        words = " ".join(options)
        match action:
            case "show":
                return await self._show(member, options, display)
            case "search":
                matches = await app.memory.ranked_search.of_member(
                    member, words, only=SearchFilter(zone=zone)
                )
                return "\n".join(search_pages(matches, words, display, Subject()))
            case "why":
                return await why_text(app, member, parse_item(words), display, links=False)
            case "correct":
                if len(options) < 2:
                    raise BadInput(
                        "Say which, and what is true instead: /memory correct 12 likes tea."
                    )
                item, statement = parse_item(options[0]), make_statement(" ".join(options[1:]))
                line = await correct_item(app, member, item, statement, display)
                return self._tr(CORRECTED, line=line)
            case "undo":
                rows = await app.memory.editor.undo(member, memory_number(words))
                return undone_in_words(rows, display)
            case "forget":
                return await self._forget(member, words, display)
            case "consent":
                return await self._consent(member, options)
            case "export":
                return (await app.memory.member_data.export(member, zone, links=False)).text
        raise BadInput(
            "There is /memory show [page], search WORDS, why N, correct N TEXT, undo N, forget "
            "N|all, consent [lasting|temporary|off] and export."
        )

    async def _show(self, member: Member, options: list[str], display: Display) -> str:
        overview = await self._app.memory.member_data.show(member)
        pages = memory_pages(overview, display, Subject())
        word = options[0].removeprefix("page:") if options else "1"
        page = int(word) if word.isdecimal() and len(word) < 10 else 0
        if not 1 <= page <= len(pages):
            raise BadInput("The last page is {count}.", count=len(pages))
        if page == len(pages):
            return pages[page - 1]
        next_page = self._tr("/memory show {page} shows the next page.", page=page + 1)
        return f"{pages[page - 1]}\n-# {next_page}"

    async def _forget(self, member: Member, target: str, display: Display) -> str:
        if target in ("all", "everything"):
            return forgotten_in_words(await self._app.memory.editor.forget_all(member), display)
        if not target:
            raise BadInput("Say which: /memory forget 12, or /memory forget all.")
        try:
            item = parse_item(target)
        except BadInput:
            raise BadInput("Give the number that /memory show prints, or all.") from None
        await forget_item(self._app, member, item)
        return self._tr(FORGOTTEN, number=item)

    async def _consent(self, member: Member, options: list[str]) -> str:
        if not options:
            overview = await self._app.memory.member_data.show(member)
            return consent_text(overview.consent, overview.choices, self._tr)
        if options not in [[choice.value] for choice in Consent]:
            raise BadInput("There is /memory consent [lasting|temporary|off].")
        choice = Consent(options[0])
        await self._app.memory.editor.set_consent(member, choice)
        return self._tr(CONSENT_CHOSEN[choice])
