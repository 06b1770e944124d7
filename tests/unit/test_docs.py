"""The documentation: links lead somewhere, commands exist, settings are all there."""

import re
from pathlib import Path

import yaml
from mkdocs.utils.yaml import get_yaml_loader

from cogs.cli.parser import command_line
from docs import configuration_page
from docs.pictures.shots import MAX_BYTES
from tests.rows import each_row
from utils.common.config import Settings, setting_texts

ROOT = Path(__file__).resolve().parents[2]
TOP_PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
LINK = re.compile(r"(?:\]\(|src=\"|srcset=\")([^)\"\s]+)")
NAMED_FILE = re.compile(r"`((?:cogs|utils|sql|tests|benchmarks|docs)/[\w./-]+\.\w+)[`:]")
NAMED_MODULE = re.compile(r"`python -m ((?:utils|benchmarks|docs|tests)[\w.]*)")
COMMAND = re.compile(r"python bot\.py ([a-z][a-z-]+)")
COMMANDS = {name for action in command_line()._actions for name in action.choices or ()}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def anchors(page):
    """The anchors of a page's headings, as GitHub and mkdocs make them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", page, flags=re.DOTALL), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}


@each_row("name", [*TOP_PAGES, *PAGES])
def test_every_link_leads_to_a_file_and_a_heading_of_it(name):
    links = [link for link in LINK.findall(read(name)) if "://" not in link]
    assert links or name not in TOP_PAGES[:2]
    for link in links:
        path, _, anchor = link.partition("#")
        target = (ROOT / name).parent / path if path else ROOT / name
        assert target.is_file(), link
        if anchor and target.suffix == ".md":  # a picture's says in which theme it is shown
            assert anchor in anchors(target.read_text(encoding="utf-8")), link


def test_the_site_has_every_page_and_loads_nothing_from_elsewhere():
    site = yaml.load(read("mkdocs.yml"), get_yaml_loader())
    navigation = re.findall(r"[\w/-]+\.md", str(site["nav"]))
    assert sorted(f"docs/{page}" for page in navigation) == PAGES
    assert site["theme"]["font"] is False
    assert "mkdocs build --strict" in read(".ci/run")
    assert "repo_url: !ENV [SOURCE_URL, null]" in read("mkdocs.yml")
    assert "data-md-component" not in read("docs/theme/partials/source.html")  # it asks GitHub
    assert "extra_javascript" not in site
    sheets = "".join(read(f"docs/{sheet}") for sheet in site["extra_css"])
    assert not re.search(r"url\(|@import", sheets)


def test_every_setting_is_explained_on_its_page_and_in_the_example():
    assert read("docs/configuration.md") == configuration_page.page()
    assert read(".env.example") == configuration_page.example()
    assert list(setting_texts()) == list(Settings.model_fields)
    assert all(text.summary.endswith(".") for text in setting_texts().values())


@each_row("name", [*TOP_PAGES, *PAGES])
def test_every_command_file_and_module_that_is_named_exists(name):
    assert set(COMMAND.findall(read(name))) <= COMMANDS
    for path in NAMED_FILE.findall(read(name)):
        assert (ROOT / path).is_file(), path
    for module in NAMED_MODULE.findall(read(name)):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), module


def test_every_command_of_the_operator_is_explained():
    assert set(COMMAND.findall(read("docs/commands.md"))) == COMMANDS


def test_the_pictures_are_small_load_nothing_and_are_all_shown():
    pictures = {path.name: path for path in (ROOT / "docs" / "images").iterdir()}
    links = LINK.findall(read("README.md") + read("docs/commands.md"))
    assert {Path(link).name for link in links if "images/" in link} == set(pictures)
    sizes = [path.stat().st_size for path in pictures.values()]
    assert max(sizes) <= MAX_BYTES
    assert sum(sizes) <= 1_200_000
    drawings = "".join(read(f"docs/images/{name}") for name in pictures if name.endswith(".svg"))
    assert drawings
    assert not re.search(r"(?:url\(|href=\")\s*\"?https?:", drawings)
