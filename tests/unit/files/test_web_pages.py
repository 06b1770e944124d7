"""Reading pages: the main text of saved pages without what surrounds it, and hostile ones."""

import time
from pathlib import Path

from tests.rows import each_row
from utils.files.page_fetching import WebPage
from utils.files.sandbox import FileSandbox
from utils.files.text_files import BEGINNING_ONLY
from utils.files.unreadable import UnreadableFile
from utils.files.web_pages import MAX_PAGE_PARTS, read_html_file, read_page
from utils.models.attachment import AttachmentKind

PAGES = Path(__file__).parents[2] / "fixtures" / "pages"
"""Written for these tests: name, what must be read, and what must not."""
SAVED = {
    "news.html": (
        ["opened to cyclists and pedestrians", "four thousand people", "## Repairs cost more"],
        ["nine million more", "Nobody had looked under the water line", "museum from June"],
        [
            "214 partners",
            "Sign in to your account",
            "Why your cat",
            "All rights reserved",
            "beacon",
        ],
    ),
    "manual.html": (
        ["reaches a size or an age", '[rotate]\nmax_size_mb = 64\nkeep = 12\ncompress = "zstd"'],
        ["keep | 7 | How many old files are kept", "- Rotation needs write access", "SIGUSR1"],
        ["Release history", "Edit this page", "Installing"],
    ),
    "thread.html": (
        ["my loaves stay flat", "with only the lamp on"],
        ["30 percent of the flour", "The oven lamp did it"],
        ["Register for free", "Delete all board cookies", "Advanced search"],
    ),
    "event.html": (
        ["# Open workshop night"],
        ["9 April 2026", "Old Mill, second floor", "soup costs 3 euros"],
        ["Become a member", "Privacy policy"],
    ),
    "recipe.html": (
        ["sechs altbackene Semmeln", "übergieße sie mit der lauwarmen"],
        ["1. Forme mit nassen Händen", "zwölf Minuten in Salzwasser", "in Scheiben geröstet"],
        ["Alle Rezepte von A bis Z"],
    ),
}


@each_row("name", SAVED)
def test_a_page_is_its_main_text(name):
    *read, not_read = SAVED[name]
    contents = read_page((PAGES / name).read_bytes(), "", is_html=True)
    text = "\n\n".join(contents.parts)
    assert contents.kind is AttachmentKind.LINK
    assert [words for part in read for words in part if words not in text] == []
    assert [words for words in not_read if words in text] == []


def html(body, head=""):
    return f"<html><head>{head}</head><body>{body}</body></html>".encode()


SENTENCE = "The bridge opened again on Saturday morning, said the harbour office. "


@each_row(
    ("data", "charset"),
    [
        ("<p>Grüße aus Köln, wo es heute regnet, sagt man.</p>".encode(), ""),
        ("<p>Grüße aus Köln, wo es heute regnet, sagt man.</p>".encode(), "no-such-charset"),
        ("<p>Grüße aus Köln, wo es heute regnet, sagt man.</p>".encode(), "base64"),
        ("<p>Grüße aus Köln, wo es heute regnet, sagt man.</p>".encode(), "ascii"),
        ("<p>Grüße aus Köln, wo es heute regnet, sagt man.</p>".encode("latin-1"), "utf-8"),
        ("<p>Grüße aus Köln, wo es heute regnet, sagt man.</p>".encode("utf-16"), "latin-1"),
        ("<p>Grüße aus Köln, wo es heute regnet, sagt man.</p>".encode("utf-16"), ""),
    ],
)
def test_a_wrong_charset_spoils_no_text(data, charset):
    assert "Grüße aus Köln" in read_page(data, charset, is_html=True).parts[0]


def test_a_long_page_is_cut_and_says_so():
    contents = read_page(html(f"<p>{SENTENCE}</p>" * 2_000), "", is_html=True)
    assert (len(contents.parts), contents.note) == (MAX_PAGE_PARTS, BEGINNING_ONLY)
    plain = read_page((f"{SENTENCE}\n\n" * 2_000).encode(), "", is_html=False)
    assert (len(plain.parts), plain.note) == (MAX_PAGE_PARTS, BEGINNING_ONLY)
    assert read_page(b"<p>not a tag</p>", "", is_html=False).parts == ("<p>not a tag</p>",)


def test_rows_and_items_whose_words_are_paragraphs_stay_whole_and_numbered():
    """As LibreOffice 7.4 writes tables and lists, and AbiWord 3.0 what is struck out."""
    page = html(
        "<table><tr><td><p>Kim</p>Li</td><td>Jo<br>Al</td>"
        "<td><p>5 <b style='text-decoration:line-through'>pm</b></p></td></tr>"
        "<tr><td>Hi!<br>Bye</td></tr></table>"
        "<ul><li> <p>tea</p></li><li></li></ul>"
        "<ol start=3><li><p>No dogs</p><p>Cats may</p></li><li><img></li><li value=8>Be kind"
        f"<li value={'9' * 5_000}>Pay</ol>"
        "<ol reversed><li>gold</ol><ol type=a><li>oil</ol><p>2026</p>"
    )
    assert read_html_file(page).parts[0].replace("\n\n", "|") == (
        "Kim Li | Jo Al | 5 ~~pm~~|Hi!|Bye|"
        "- tea|3. No dogs|Cats may|8. Be kind|9. Pay|- gold|- oil|2026"
    )


def test_a_cell_of_many_paragraphs_takes_no_time():
    started = time.process_time()
    read_html_file(html(f"<table><tr><td>{'<p>a</p>' * 30_000}</table>"))
    assert time.process_time() - started < 2


async def test_the_sandbox_reads_pages_and_a_hostile_one_harms_nobody():
    sandbox = FileSandbox()
    page = WebPage(
        "a.example", html(f"<p>{SENTENCE * 3}</p>", "<title>A \n bridge</title>"), is_html=True
    )
    contents = await sandbox.read_page(page)
    assert contents.title == "A bridge"
    assert contents.parts == ((SENTENCE * 3).strip(),)
    entities = '<!DOCTYPE x [<!ENTITY b SYSTEM "file:///etc/passwd">]><p>&b; root' + SENTENCE
    for hostile in (
        "<div>" * 100_000 + SENTENCE,
        entities,
        "<" * 50_000,
        "\ud800".encode("utf-8", "surrogatepass"),
    ):
        data = hostile if isinstance(hostile, bytes) else hostile.encode()
        try:
            contents = await sandbox.read_page(WebPage("a.example", data, is_html=True))
        except UnreadableFile:
            continue
        assert "root:" not in "".join(contents.parts)
