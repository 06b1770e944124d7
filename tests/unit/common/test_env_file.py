"""Lines of .env that have no effect."""

from pathlib import Path

import pytest

import bot
from utils.common.config import env_lines, load_settings

ROOT = Path(bot.__file__).parent
SECRET = "sk-unspeakable"


def sentences(tmp_path: Path, text: str) -> list[str]:
    """Return what is said about a .env, without the file's name; faults begin with ✗."""
    file = tmp_path / ".env"
    file.write_text(text, encoding="utf-8")
    lines = env_lines(file)
    assert SECRET not in "".join(sentence for sentence, _ in lines)
    return [
        sentence.replace(str(file), "✗" if is_fault else "–").replace(",", "", 1)
        for sentence, is_fault in lines
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"DISCORD_TOKE={SECRET}",
            ["✗ line 1: DISCORD_TOKE is no setting: did you mean DISCORD_TOKEN?"],
        ),
        (
            f"\n# a comment\n\nOPENAI_KEY={SECRET}\n",
            ["✗ line 4: OPENAI_KEY is no setting: did you mean OPENAI_API_KEY?"],
        ),
        (
            f"DISCORD TOKEN={SECRET}",
            ["✗ line 1 cannot be read, so it is ignored: write NAME=value."],
        ),
        (
            f"\nDISCORD_TOKEN: {SECRET}",
            ["✗ line 2 cannot be read, so it is ignored: write NAME=value."],
        ),
        (
            f"CHAT_MODEL='x\nOPENAI_API_KEY={SECRET}",
            ["✗ line 1 cannot be read, so it is ignored: write NAME=value."],
        ),
        (
            "LOG_LEVEL",
            ["✗ line 1: LOG_LEVEL has no value, so it is ignored: write LOG_LEVEL=value."],
        ),
        (
            "COMPOSE_PROJECT_NAME=x",
            ["– line 1: COMPOSE_PROJECT_NAME is no setting of Kith; it is ignored."],
        ),
        (  # of another program, or a value in the wrong place: never shown whole
            f"COMPOSE_PROJECT_NAME=x\n{'Q' * 100}=x\nCOMPOSE_PROJECT_NAME=y\n{'Q' * 100}=y",
            [
                "– line 1: COMPOSE_PROJECT_NAME is no setting of Kith; it is ignored.",
                f"– line 2: {'Q' * 79}… is no setting of Kith; it is ignored.",
                "– line 3: COMPOSE_PROJECT_NAME is no setting of Kith; it is ignored.",
                f"– line 4: {'Q' * 79}… is no setting of Kith; it is ignored.",
            ],
        ),
        (
            f"\nOPENAI_API_KEY={SECRET}\n\n\nexport openai_api_key=other\n",
            ["✗ line 2: OPENAI_API_KEY is set again in line 5, which counts; remove one."],
        ),
        (
            f"OPENAI_API_KEY={SECRET}\nOPENAI_API_KEY=\n",
            ["✗ line 1: OPENAI_API_KEY is set again in line 2, which counts; remove one."],
        ),
        (f"OPENAI_API_KEY=\nOPENAI_API_KEY={SECRET}\n", []),  # as of .env.example, then added
        (f"export discord_token={SECRET}\nLOG_LEVEL=\n", []),
    ],
)
def test_lines_without_effect_are_named(tmp_path: Path, text: str, said: list[str]) -> None:
    assert sentences(tmp_path, text) == said


def test_the_example_is_understood_whole(tmp_path: Path) -> None:
    assert sentences(tmp_path, (ROOT / ".env.example").read_text("utf-8")) == []
    assert env_lines(tmp_path / "none") == []


def test_doctor_fails_for_what_is_mistyped_and_not_for_what_is_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".env").write_text("OTHERS_NAME=1\n", encoding="utf-8")
    assert bot.main(["migrate"]) == 0
    assert bot.main(["doctor"]) == 0
    assert "– settings: .env, line 1: OTHERS_NAME is no setting of Kith" in capfd.readouterr().out
    Path(".env").write_text("OTHERS_NAME=1\n? what\nSHARD_COUNTS=2\n", encoding="utf-8")
    assert bot.main(["doctor"]) == 1
    captured = capfd.readouterr()
    assert "✗ settings: .env, line 2 cannot be read" in captured.out
    assert "✗ settings: .env, line 3: SHARD_COUNTS is no setting: did you mean" in captured.out
    assert "✓ database" in captured.out
    assert "dotenv" not in captured.err


@pytest.mark.parametrize(
    "text", ["\ufeffLOG_LEVEL=ERROR\nMEMORY_CAP=7\n", "LOG_LEVEL='ERROR'\r\nMEMORY_CAP=\"7\"\r\n"]
)
def test_a_file_as_editors_on_windows_write_it_is_read(tmp_path: Path, text: str) -> None:
    file = tmp_path / ".env"
    file.write_bytes(text.encode())
    settings = load_settings(file)
    assert (settings.log_level, settings.memory_cap) == ("ERROR", 7)
    assert env_lines(file) == []
