"""The operator's list of MCP servers: what may stand in it, and what an error says."""

import pytest

from utils.common.errors import SettingsError
from utils.mcp.server_list import load_server_list

GOOD = """
[weather]
command = ["weather-server", "--metric"]
env = { WEATHER_KEY = "s3cret-value" }
tools = ["forecast", "forecast"]
guilds = [111]

[wiki]
url = "http://127.0.0.1:9000/mcp"
headers = { Authorization = "Bearer s3cret-value" }
tools = ["search"]
direct_messages = true
learn = false
"""


def listed(tmp_path, text):
    file = tmp_path / "mcp.toml"
    file.write_text(text, encoding="utf-8")
    return load_server_list(file)


def test_programs_and_addresses_are_read_with_their_limits(tmp_path):
    weather, wiki = listed(tmp_path, GOOD)
    assert weather.command == ("weather-server", "--metric")
    assert weather.tools == ("forecast",)
    assert weather.may_serve(111)
    assert not weather.may_serve(112)
    assert not weather.direct_messages
    assert wiki.may_serve(112)
    assert (wiki.timeout_s, wiki.calls_per_answer, wiki.learn) == (10.0, 3, False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("not toml", "is not TOML"),
        ("[Weather]\nurl='http://x'\ntools=['a']", "Weather"),
        ("[w]\ntools=['a']", "either command"),
        ("[w]\nurl='http://x'\ncommand=['y']\ntools=['a']", "either command"),
        ("[w]\nurl='ftp://x'\ntools=['a']", "url"),
        ("[w]\nurl='http://x'", "tools"),
        ("[w]\nurl='http://x'\ntools=[]", "tools"),
        ("[w]\nurl='http://x'\ntools=['a']\ntoken='s3cret-value'", "token"),
        ("[w]\nurl='http://x'\ntools=['a']\ntimeout_s='s3cret-value'", "timeout_s"),
        ("w = 's3cret-value'", "fix"),
    ],
)
def test_an_error_names_the_entry_and_quotes_no_value(tmp_path, text, words):
    with pytest.raises(SettingsError, match=words) as error:
        listed(tmp_path, text)
    assert "s3cret" not in str(error.value)
