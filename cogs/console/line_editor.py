"""Read lines at a terminal with prompt_toolkit: history, completion, pasted lines as one message.

Imported only where a person sits at a terminal.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from utils.models.memory import Member


class LineEditor:
    """Reads lines; what is typed while Kith answers is the beginning of the next line."""

    def __init__(self, complete: Callable[[str], list[str]]) -> None:
        self._session: PromptSession[str] = PromptSession(
            completer=_Completer(complete),
            complete_while_typing=Condition(
                lambda: self._session.default_buffer.text.startswith((":", "/"))
            ),
            key_bindings=_keys(complete),
            multiline=True,  # for pasted lines; Enter sends
            prompt_continuation="  ",
            reserve_space_for_menu=4,
        )

    async def next(self, prompt: Callable[[], str]) -> str | None:
        """Return the next line; None if the person leaves with Ctrl-D or Ctrl-C."""
        try:
            return await self._session.prompt_async(
                lambda: _prompt_text(prompt()), handle_sigint=False
            )
        except (EOFError, KeyboardInterrupt):
            return None

    async def forget_lines(self, member: Member, *, only_answers: bool) -> None:
        """Drop all lines: one of them may hold what is being forgotten."""
        self._session.default_buffer.history = InMemoryHistory()


def _prompt_text(prompt: str) -> StyleAndTextTuples:
    name, place = prompt.split(" #", 1) if " #" in prompt else (prompt, "")
    return [("bold", name), ("", f" #{place}")]


def _keys(complete: Callable[[str], list[str]]) -> KeyBindings:
    keys = KeyBindings()

    @keys.add("tab")
    def complete_word(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        line = buffer.document.text_before_cursor
        match complete(line):
            case [word]:
                buffer.insert_text(word[len(line.rpartition(" ")[2]) :] + " ")
            case [_, *_] if buffer.complete_state is None:
                buffer.start_completion(insert_common_part=True)
            case [_, *_]:
                buffer.complete_next()

    @keys.add("enter")
    def send(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @keys.add("escape", "enter")
    def new_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @keys.add("c-c")
    def interrupt(event: KeyPressEvent) -> None:
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt, style="class:aborting")

    return keys


@dataclass(eq=False, repr=False)
class _Completer(Completer):
    _complete: Callable[[str], list[str]]

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        """Yield what the word before the cursor may become."""
        line = document.text_before_cursor
        prefix = line.rpartition(" ")[2]
        for word in self._complete(line):
            yield Completion(word, start_position=-len(prefix))
