"""Settings are changed in .env without touching anything else in it."""

import stat

import pytest
from dotenv import dotenv_values
from hypothesis import given
from hypothesis import strategies as st

from utils.common import env_file

OWN = """\
# mine

DISCORD_TOKEN=old # the first bot
export LOG_LEVEL="DEBUG"
openai_api_key='sk-1'
GREETING="two
lines"
DISCORD_TOKEN=newer
# the end"""


def test_comments_other_settings_and_their_order_stay():
    text = env_file.changed(OWN, {"DISCORD_TOKEN": "newest", "CHAT_MODEL": "small"})
    assert text == (
        "# mine\n\n"
        'export LOG_LEVEL="DEBUG"\n'
        "openai_api_key='sk-1'\n"
        'GREETING="two\nlines"\n'
        "DISCORD_TOKEN=newest\n"
        "# the end\n"
        "CHAT_MODEL=small\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("CHAT_MODEL=old # cheap\n", "CHAT_MODEL=new # cheap\n"),
        ("CHAT_MODEL='old # 1'  # cheap # and quick\n", "CHAT_MODEL=new  # cheap # and quick\n"),
        ('export CHAT_MODEL="old"# cheap\n', "CHAT_MODEL=new # cheap\n"),
        ("CHAT_MODEL=o#ld\n", "CHAT_MODEL=new\n"),
        ("CHAT_MODEL='o # ld'\n", "CHAT_MODEL=new\n"),
        ("CHAT_MODEL= # cheap\n", "CHAT_MODEL=new # cheap\n"),
        ("# a\r\nCHAT_MODEL=old # b\r\nX=1", "# a\r\nCHAT_MODEL=new # b\r\nX=1\r\n"),
    ],
)
def test_comments_behind_values_and_line_ends_stay(before, after, tmp_path):
    file = tmp_path / ".env"
    file.write_bytes(before.encode())
    env_file.write(file, env_file.changed(env_file.read(file), {"CHAT_MODEL": "new"}))
    assert file.read_bytes().decode() == after
    assert dotenv_values(file)["CHAT_MODEL"] == "new"


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=40))
def test_what_is_written_is_read_again(value):
    if "${" in value:  # dotenv fills these in; no token or key has them
        return
    text = env_file.changed(OWN, {"OPENAI_API_KEY": value})
    assert env_file.values(text)["OPENAI_API_KEY"] == value
    assert env_file.values(text)["GREETING"] == "two\nlines"


def test_the_file_is_for_its_owner_alone_and_nothing_is_left_beside_it(tmp_path):
    file = tmp_path / ".env"
    env_file.write(file, env_file.changed(env_file.read(file), {"DISCORD_TOKEN": "a.b.c"}))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [".env"]
    assert dotenv_values(file) == {"DISCORD_TOKEN": "a.b.c"}
