"""/memory … in the terminal: the same services and texts as in Discord."""

from collections.abc import Awaitable, Callable
from zoneinfo import ZoneInfo

from cogs.bot.texts import CONSENT_CHOSEN, Translate, consent_text
from cogs.console import console_text
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


class MemoryLines:
    """Runs what a person types after /memory; ``tr`` returns a text in the person's language."""

    def __init__(self, app: App, tr: Translate) -> None:
        self._app = app
        self._tr = tr
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
        self, member: Member, arguments: list[str], make_statement: Callable[[str], Statement]
    ) -> str:
        """Return the answer to one line. ``make_statement`` turns typed text into a statement."""
        action, *options = arguments or ["show"]
        if action == "correct":
            return await self._correct(member, options, make_statement)
        if action not in self._actions:
            raise BadInput(console_text.USAGE)
        return await self._actions[action](member, options)

    async def _show(self, member: Member, arguments: list[str]) -> str:
        overview = await self._app.memory.member_data.show(member)
        pages = memory_pages(overview, await self._display(member), Subject())
        word = arguments[0].removeprefix("page:") if arguments else "1"
        page = int(word) if word.isdecimal() and len(word) < 10 else 0
        if not 1 <= page <= len(pages):
            raise BadInput(console_text.PAGES, count=len(pages))
        if page == len(pages):
            return pages[page - 1]
        return f"{pages[page - 1]}\n-# {self._tr(console_text.NEXT_PAGE, page=page + 1)}"

    async def _search(self, member: Member, arguments: list[str]) -> str:
        words = " ".join(arguments)
        only = SearchFilter(zone=await self._zone(member))
        matches = await self._app.memory.ranked_search.of_member(member, words, only=only)
        return "\n".join(search_pages(matches, words, await self._display(member), Subject()))

    async def _why(self, member: Member, arguments: list[str]) -> str:
        item = parse_item(" ".join(arguments))
        return await why_text(self._app, member, item, await self._display(member), links=False)

    async def _correct(
        self, member: Member, arguments: list[str], make_statement: Callable[[str], Statement]
    ) -> str:
        if len(arguments) < 2:
            raise BadInput(console_text.CORRECT_WHAT)
        item, statement = parse_item(arguments[0]), make_statement(" ".join(arguments[1:]))
        line = await correct_item(self._app, member, item, statement, await self._display(member))
        return self._tr(CORRECTED, line=line)

    async def _undo(self, member: Member, arguments: list[str]) -> str:
        rows = await self._app.memory.editor.undo(member, memory_number(" ".join(arguments)))
        return undone_in_words(rows, await self._display(member))

    async def _forget(self, member: Member, arguments: list[str]) -> str:
        target = " ".join(arguments)
        if target in ("all", "everything"):
            count = await self._app.memory.editor.forget_all(member)
            return forgotten_in_words(count, await self._display(member))
        if not target:
            raise BadInput(console_text.FORGET_WHICH)
        try:
            item = parse_item(target)
        except BadInput:
            raise BadInput(console_text.GIVE_NUMBER) from None
        await forget_item(self._app, member, item)
        return self._tr(FORGOTTEN, number=item)

    async def _consent(self, member: Member, arguments: list[str]) -> str:
        if not arguments:
            overview = await self._app.memory.member_data.show(member)
            return consent_text(overview.consent, overview.choices, self._tr)
        if arguments not in [[choice.value] for choice in Consent]:
            raise BadInput(console_text.CONSENT_USAGE)
        choice = Consent(arguments[0])
        await self._app.memory.editor.set_consent(member, choice)
        return self._tr(CONSENT_CHOSEN[choice])

    async def _export(self, member: Member, arguments: list[str]) -> str:
        zone = await self._zone(member)
        return (await self._app.memory.member_data.export(member, zone, links=False)).text

    async def _display(self, member: Member) -> Display:
        return Display(self._app.clock.now(), await self._zone(member), self._tr)

    async def _zone(self, member: Member) -> ZoneInfo:
        return (await self._app.guilds.settings.get(member.guild_id)).zone
