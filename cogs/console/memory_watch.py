"""Wait until what was said is read into memory, and tell what was learnt, corrected or forgotten.

With a model, reading takes seconds: it goes on while the next line is typed.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from cogs.bot.texts import Translate
from cogs.console.output import Output
from cogs.memory.memory_text import QUOTED
from utils.app import App
from utils.common.errors import UNEXPECTED_ERROR, DatabaseError, log_unexpected
from utils.common.text import clip, one_line
from utils.memory.extraction.stated_names import own_name_in
from utils.models.memory import Form, Member, Memory, Status
from utils.models.recall import MemberView
from utils.runtime.stopping import start_kept

MAX_TEXT = 100
SETTLE_TIMEOUT_S = 10.0


@dataclass(eq=False, repr=False)
class MemoryWatch:
    """Compares what is known about the speakers before and after each line.

    ``names`` are the names that people gave themselves, by user id. ``tr`` returns a text in the
    language of the person at the terminal.
    """

    _app: App
    _output: Output
    _tr: Translate
    names: dict[int, str] = field(default_factory=dict)
    _known: dict[Member, dict[int, Memory]] = field(default_factory=dict)
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    _comparing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _behind: set[asyncio.Task[object]] = field(default_factory=set)
    _telling: set[asyncio.Task[object]] = field(default_factory=set)

    def begin(self, member: Member, view: MemberView) -> None:
        """Take what is known about a member as known before."""
        self._known[member] = known_rows(view)
        name = own_name(view.rows)
        if name is None:
            self.names.pop(member.user_id, None)
        else:
            self.names[member.user_id] = name

    def number_known(self, member: Member) -> int:
        """Return how many memories there are about a member."""
        return len(self._known.get(member, ()))

    async def read(self) -> None:
        """Wait, within limits, until all messages are read; tell what changed.

        While the database is away, messages wait for it and nothing is reported.
        """
        with suppress(TimeoutError, DatabaseError):
            async with asyncio.timeout(SETTLE_TIMEOUT_S):
                await self._app.memory.recorder.settle()
            await self._tell()

    def read_behind(self) -> None:
        """Read in the background."""
        start_kept(self._read_behind(), "console memory", self._behind)

    def tell_at_once(self) -> None:
        """Report each change as soon as it is stored, also those by background work."""
        self._app.memory.signals.recorded.connect(
            lambda: start_kept(self._guarded(self._tell), "console memory", self._telling)
        )

    async def _read_behind(self) -> None:
        async with self._reading:
            await self._guarded(self.read)

    async def _guarded(self, work: Callable[[], Awaitable[object]]) -> None:
        """Do something in the background; an unforeseen error is shown."""
        try:
            await work()
        except DatabaseError:
            return  # it is told with the next line that is answered
        except Exception as error:
            await self._output.aside([self._tr(UNEXPECTED_ERROR, reference=log_unexpected(error))])

    async def _tell(self) -> None:
        """Tell what changed since the last time about everyone who spoke in this session."""
        async with self._comparing:
            for member, before in list(self._known.items()):
                view = await self._app.memory.member_data.show(member)
                self.begin(member, view)
                lines = changes_in_words(before, view, self._tr, self._app.clock.now())
                if lines and self._output.is_aloud:
                    await self._output.aside(lines)

    async def close(self) -> None:
        """Wait, within limits, for what is read in the background; sentences say so."""
        if not self._behind:
            return
        await self._output.aside([self._tr("One moment, I still read what you told me …")])
        waits = list(self._behind)
        await asyncio.wait(waits, timeout=SETTLE_TIMEOUT_S)
        if self._behind:
            for task in waits:
                task.cancel()
            await self._app.memory.recorder.close()
            await self._output.aside([self._tr("The rest is read at the next start.")])


def known_rows(view: MemberView) -> dict[int, Memory]:
    """Return the memories that answers may use now, by id."""
    return {row.id: row for row in view.rows if row.status is Status.ACTIVE}


def changes_in_words(
    before: Mapping[int, Memory], view: MemberView, tr: Translate, now: datetime
) -> list[str]:
    """Return a short line for each memory that is new, corrected, forgotten or expired.

    Args:
        before: the memories at the last look, by id.
        view: the memories now.
        tr: translates the words around the memories, which stay as they are.
        now: what ended before it has expired.
    """
    after = known_rows(view)
    replaced: set[int] = set()
    lines: list[str] = []
    for row in reversed(after.values()):  # newest first
        previous = view.past.get(row.id)
        if row.id in before:
            continue
        text = _text(row, tr)
        if previous is None:
            lines.append(f"+ {text}")
        else:
            lines.append(
                tr("~ corrected: {text} (before: {before})", text=text, before=_text(previous, tr))
            )
            replaced.add(previous.id)
    for row in before.values():
        if row.id not in after and row.id not in replaced:
            change = "- expired: {text}" if row.is_over(now) else "- forgot: {text}"
            lines.append(tr(change, text=_text(row, tr)))
    return lines


def own_name(rows: Sequence[Memory]) -> str | None:
    """Return the name that a person gave themselves; the newest row comes first."""
    for row in rows:
        if row.fact_key == "name" and row.form is Form.NOTE and row.status is Status.ACTIVE:
            return own_name_in(row.text)
    return None


def _text(row: Memory, tr: Translate) -> str:
    text = clip(one_line(row.text), MAX_TEXT, at_word=True)
    return tr(QUOTED, words=text) if row.form is Form.QUOTE else text
