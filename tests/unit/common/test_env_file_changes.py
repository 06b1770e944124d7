"""Settings are changed in .env without touching anything else in it."""

import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from utils.common import env_file
from utils.common.errors import SettingsError

OWN = """\
# mine

DISCORD_TOKEN=old # the first bot
export LOG_LEVEL="DEBUG"
openai_api_key='sk-1'
GREETING="two
lines"
DISCORD_TOKEN=newer
# the end"""


def test_comments_other_settings_and_their_order_stay(tmp_path):
    file = tmp_path / ".env"
    file.write_text(OWN, "utf-8")
    env_file.change(file, {"OPENAI_API_KEY": "sk-2", "CHAT_MODEL": "small"})
    assert file.read_text("utf-8") == (
        "# mine\n\n"
        "DISCORD_TOKEN=old # the first bot\n"
        'export LOG_LEVEL="DEBUG"\n'
        "openai_api_key=sk-2\n"
        'GREETING="two\nlines"\n'
        "DISCORD_TOKEN=newer\n"
        "# the end\n"
        "CHAT_MODEL=small\n"
    )
    env_file.change(file, {"DISCORD_TOKEN": "newest"})
    assert env_file.values(file)["DISCORD_TOKEN"] == "newest"


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=40))
@example("'a#b")
def test_what_is_written_is_read_again(value):
    if "${" in value:  # dotenv fills these in; no token or key has them
        return
    with TemporaryDirectory() as folder:
        file = Path(folder) / ".env"
        file.write_text(OWN, "utf-8")
        env_file.change(file, {"OPENAI_API_KEY": value})
        assert env_file.values(file)["OPENAI_API_KEY"] == value
        assert env_file.values(file)["GREETING"] == "two\nlines"


def test_the_file_is_for_its_owner_alone_and_nothing_is_left_beside_it(tmp_path):
    file, linked = tmp_path / "own", tmp_path / ".env"
    file.touch(0o644)
    linked.symlink_to(file)
    env_file.change(linked, {"DISCORD_TOKEN": "a.b.c"})
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {"own", ".env"}
    assert file.read_text("utf-8") == "DISCORD_TOKEN=a.b.c\n"


def test_a_file_that_others_could_read_gets_no_token_before_it_is_its_owners(tmp_path, monkeypatch):
    file = tmp_path / ".env"
    file.touch()
    file.chmod(0o644)
    modes = []

    def written(target: Path, *_: str) -> None:
        modes.append(stat.S_IMODE(target.stat().st_mode))

    monkeypatch.setattr(env_file, "set_key", written)
    env_file.change(file, {"DISCORD_TOKEN": "a.b.c"})
    assert modes == [0o600]


def test_a_change_that_fails_in_the_middle_changes_nothing(tmp_path, monkeypatch):
    file = tmp_path / ".env"
    file.write_text(OWN, "utf-8")
    set_key = env_file.set_key

    def fails_later(target: Path, name: str, *rest: str) -> None:
        if name.upper() == "OPENAI_API_KEY":
            raise OSError(28, "No space left on device")
        set_key(target, name, *rest)

    monkeypatch.setattr(env_file, "set_key", fails_later)
    with pytest.raises(SettingsError, match="nothing was changed"):
        env_file.change(file, {"DISCORD_TOKEN": "a.b.c", "OPENAI_API_KEY": "k"})
    assert file.read_text("utf-8") == OWN
    assert [path.name for path in tmp_path.iterdir()] == [".env"]
