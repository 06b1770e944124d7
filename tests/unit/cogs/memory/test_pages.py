"""What a member sees of what is known of them."""

from datetime import UTC

from hypothesis import given
from hypothesis import strategies as st

from cogs.memory.display import Display
from cogs.memory.pages import (
    Subject,
    memory_line,
    memory_pages,
    message_line,
    search_pages,
)
from tests.fakes.builders import NOON, at, make_memory
from tests.rows import each_row
from utils.common.text import utf16_length
from utils.models.memory import Consent, Kind, Status
from utils.models.recall import MemberMessage, MemberView, SearchResult

DISPLAY = Display(NOON, UTC)
OWN, EVERYBODY = Subject(), Subject(is_everybody=True)
ONE_S_OWN, EVERYBODY_S = Subject(), Subject(is_everybody=True)


def pages(*rows, profile="", consent=Consent.TEMPORARY):
    return memory_pages(MemberView(profile, rows, consent), DISPLAY, Subject())


def test_somebody_unknown_gets_one_page_that_says_so():
    (page,) = pages()
    assert "I remember nothing about you here yet" in page


@each_row(
    ("row", "line"),
    [
        (
            make_memory(id=7, created_at=at(days=-2)),
            "`#7` has a dog named Rex *(fact, 2 days ago, stays until you forget it)*",
        ),
        (
            make_memory("moves", id=8, kind=Kind.TASK, expires_at=at(days=3)),
            "`#8` moves *(task, just now, expires in 3 days)*",
        ),
        (
            make_memory("may sing", id=9, status=Status.PROPOSED),
            "`#9` may sing *(fact, just now, stays until you forget it, waits for approval)*",
        ),
        (
            make_memory("x", id=10, created_at=at(days=8)),
            "`#10` x *(fact, just now, stays until you forget it)*",
        ),
    ],
)
def test_a_memory_has_its_number_age_end_and_status(row, line):
    assert memory_line(row, DISPLAY) == line


def test_memories_cannot_format_or_ping():
    line = memory_line(make_memory("**@everyone** `x` <@12> [a](b)", id=1), DISPLAY)
    assert "@everyone" not in line
    assert "<@12>" not in line
    assert r"\*\*" in line
    assert r"\`x\`" in line


def test_ten_memories_are_a_page_and_the_profile_stands_on_the_first():
    rows = [make_memory(f"row {n}", id=n + 1) for n in range(23)]
    made = pages(*rows, profile="Sings.")
    assert [page.count("`#") for page in made] == [10, 10, 3]
    assert ["Profile:" in page for page in made] == [True, False, False]
    assert made[2].endswith("Page 3 of 3")


def test_a_stored_message_has_its_number_age_and_end_and_cannot_format_or_ping():
    line = message_line(stored("**@everyone** <@12>\nhello", id=48), DISPLAY)
    assert line.startswith("`m48` “")
    assert line.endswith("*(your message, just now, until 10 April 2026)*")
    assert "@everyone" not in line and "<@12>" not in line and "\n" not in line


def stored(text, **given):
    values = {"id": 1, "message_id": 2, "channel_id": 3, "source_id": 3, "stems": ""}
    values |= {"said_at": NOON, "expires_at": at(days=30)} | given
    return MemberMessage(text=text, **values)


ROWS = st.lists(
    st.builds(
        make_memory,
        text=st.text(alphabet="a*_`[😀犬 <@1>", min_size=1, max_size=250)
        | st.integers(240, 500).map(lambda n: "*" * n),
        status=st.sampled_from([Status.ACTIVE, Status.PROPOSED]),
    ),
    max_size=30,
)


@given(ROWS, st.sampled_from(["", "*" * 600, "Sings."]))
def test_every_page_fits_into_a_message_and_no_memory_is_lost(rows, profile):
    made = pages(*rows, profile=profile)
    assert all(utf16_length(page) <= 2000 for page in made)
    together = "\n".join(made)
    for row in rows:
        assert together.count(f"`#{row.id}` ") == 1


def found(*rows, words="dog", subject=OWN, **given):
    return search_pages(SearchResult(rows, by_meaning=True, **given), words, DISPLAY, subject)


def test_what_was_found_of_everybody_names_whose_it_is():
    rows = (make_memory(id=8, user_id=5), make_memory("the great lag night", id=7, user_id=0))
    (page,) = found(*rows, subject=EVERYBODY, has_more=True)
    assert page.splitlines()[:2] == [
        "**What I know of members here with “dog”**",
        "-# These are the newest 2, and there are more; another word finds fewer.",
    ]
    assert "\n<@5>: `#8` has a dog" in page
    assert "\nthis server: `#7` the great lag night" in page
