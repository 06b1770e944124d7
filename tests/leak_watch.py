"""Searches all that a test run puts out for what must never be in it, and fails whoever leaks.

Secrets (the token, the model's key, the database's password) may be nowhere: neither in logs, down
to DEBUG as ``bot.py run`` would write them, nor in what tests and started processes print, nor in
warnings. What people say on the fake Discord may be in no log and on no standard error; the
terminal's answers on standard output may of course quote them.
"""

import logging
from collections.abc import Generator, Iterator, Mapping
from typing import Any

import pytest

import bot
from tests.fakes.discord import TOKEN, FakeDiscord

API_KEY = "sk-planted-4b1d-never-to-be-seen"
DATABASE_PASSWORD = "planted-pass-7c2e"
SECRETS = (TOKEN, API_KEY, DATABASE_PASSWORD)
TELLING = 12  # shorter texts, such as "hello", could stand in a log by chance
CLIPPED = 24  # a log that quotes only the beginning is caught as well


class LeakWatch(logging.Handler):
    """Hears every log record, and is shown all other output."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.said: set[str] = set()
        self.leaks: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.examine(self.format(record), f"the log of {record.name}")

    def hear(self, text: object) -> None:
        """Remember what somebody said until the test is over."""
        if isinstance(text, str) and len(words := text.replace("<@bot>", "").strip()) >= TELLING:
            self.said.add(words[:CLIPPED])

    def examine(self, output: str, where: str, *, may_quote: bool = False) -> None:
        """Search some output for secrets and, unless it may quote people, for what they said."""
        for planted in (*SECRETS, *(() if may_quote else tuple(self.said))):
            if planted in output:
                self.leaks.append(f"{planted!r} is in {where}: {output}")


WATCH = LeakWatch()


@pytest.fixture(scope="session")
def all_output_is_watched() -> Iterator[None]:
    """Log as ``bot.py run`` does at DEBUG, and overhear what is said and printed."""
    root = logging.getLogger()
    root.addHandler(WATCH)
    root.setLevel(logging.DEBUG)
    bot.start_logging("DEBUG", "run")
    logging.getLogger("aiohttp.access").setLevel(logging.WARNING)  # the fakes' own, many lines
    with pytest.MonkeyPatch.context() as patch:
        _overhear(patch)
        yield
    root.removeHandler(WATCH)


def _overhear(patch: pytest.MonkeyPatch) -> None:
    say, edit, slash = FakeDiscord.say, FakeDiscord.edit, FakeDiscord.slash
    read = pytest.CaptureFixture.readouterr

    def heard_say(fake: Any, who: Any, channel: Any, text: str = "", **given: Any) -> Any:
        WATCH.hear(text)
        return say(fake, who, channel, text, **given)

    def heard_edit(fake: Any, message: Any, text: str, **given: Any) -> Any:
        WATCH.hear(text)
        return edit(fake, message, text, **given)

    def heard_slash(
        fake: Any,
        who: Any,
        channel: Any,
        command: str,
        options: Mapping[str, Any] | None = None,
        **given: Any,
    ) -> Any:
        for value in (options or {}).values():
            WATCH.hear(value)
        return slash(fake, who, channel, command, options, **given)

    def examined(capture: pytest.CaptureFixture[Any]) -> Any:
        result = read(capture)
        WATCH.examine(f"{result.out}{result.err}", "what a test printed", may_quote=True)
        return result

    patch.setattr(FakeDiscord, "say", heard_say)
    patch.setattr(FakeDiscord, "edit", heard_edit)
    patch.setattr(FakeDiscord, "slash", heard_slash)
    patch.setattr(pytest.CaptureFixture, "readouterr", examined)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail the part of a test in which something leaked."""
    report = yield
    for name, content in report.sections:
        if "log" not in name:  # those records were heard
            WATCH.examine(content, name, may_quote=True)
    if WATCH.leaks and not report.failed:
        report.outcome, report.longrepr = "failed", "\n".join(["it leaked:", *WATCH.leaks])
    WATCH.leaks.clear()
    if call.when == "teardown":
        WATCH.said.clear()
    return report


def pytest_warning_recorded(warning_message: Any) -> None:
    """Search a warning; it is no test's own, so the whole run fails."""
    WATCH.examine(str(warning_message.message), "a warning", may_quote=True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run for what leaked outside tests."""
    if WATCH.leaks:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        raise pytest.UsageError("\n".join(["it leaked:", *WATCH.leaks]))
