"""Go through the Dockerfile without an engine: build, then run what it would run.

The build stage's steps run word for word, with /venv, /build and /kith below an empty folder and
next to nothing in the environment. Of the last stage only what needs Debian is left out. Then the
result is made read-only, and the program is used in it as somebody who is not root.
"""

import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]
# What a build behind a proxy or a mirror needs; nothing else of this machine's environment.
PASSED_ON = re.compile(r"PIP_\w+|(https?|no)_proxy|SSL_CERT_FILE", re.IGNORECASE)
# Root without its powers: it may write only where a file's mode says so, as anybody else.
POWERLESS = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
CHART = """
from datetime import UTC, datetime
from discord import Locale
from cogs.sentiment.tension_chart import Chart
from cogs.sentiment.tension_picture import draw
from utils.sentiment.tension_tracker import hourly
now = datetime.now(UTC)
hours = hourly([], now, now, 24.0)
assert draw(Chart(hours, 0.6, now, UTC, Locale.german))
"""


@dataclass(eq=False, repr=False)
class Image:
    """The folders that a build makes, and how to run something in them."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    commands: dict[str, list[str]] = field(default_factory=dict)

    def here(self, text: str) -> str:
        """Return a command or path of the container with its folders below the root."""
        return re.sub(r"(?<![\w.-])/(venv|build|kith)\b", rf"{self.root}/\1", text)

    def build(self) -> None:
        """Follow the Dockerfile. Raises CalledProcessError when a step fails."""
        base = self.root / "base"
        subprocess.run([sys.executable, "-m", "venv", base], check=True)
        passed = {key: value for key, value in os.environ.items() if PASSED_ON.fullmatch(key)}
        environment = {"PATH": f"{base}/bin:/usr/bin:/bin", "PIP_QUIET": "1", **passed}
        place, stage = self.root, 0
        for instruction, rest in instructions(SOURCE / "Dockerfile"):
            match instruction:
                case "FROM":
                    stage += 1
                case "WORKDIR":
                    place = Path(self.here(rest))
                    place.mkdir(exist_ok=True)
                case "COPY" if not rest.startswith("--from="):
                    copy(rest.split()[0], place)
                case "RUN" if stage == 1:
                    subprocess.run(
                        ["sh", "-ec", self.here(rest)], cwd=place, env=environment, check=True
                    )
                case "ENV":
                    self.environment |= dict(pair.split("=", 1) for pair in shlex.split(rest))
                case "ENTRYPOINT" | "CMD":
                    self.commands[instruction] = json.loads(self.here(rest))
                case "HEALTHCHECK":
                    self.commands[instruction] = json.loads(self.here(rest.partition("CMD")[2]))

    def seal(self) -> None:
        """Let nobody write but to /kith/data and /tmp."""
        for folder in (self.root / "kith", self.root / "venv"):
            for path in [folder, *folder.rglob("*")]:
                if not path.is_symlink():
                    path.chmod(path.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
        self.root.chmod(0o755)
        for writable in (self.root / "tmp", self.root / "data"):
            writable.mkdir()
            writable.chmod(0o1777)

    def run(self, command: list[str], said: str = "", status: int = 0) -> str:
        """Run a command as the container does, and return its output; it must end as expected."""
        done = subprocess.run(
            [*(POWERLESS if os.getuid() == 0 else ()), *command],
            cwd=self.root / "kith",
            env={
                "DATABASE_URL": f"sqlite:///{self.root}/data/kith.db",
                "HOME": "/nonexistent",
                "TMPDIR": str(self.root / "tmp"),
                **self.environment,
            },
            input=said,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        if done.returncode != status:
            raise SystemExit(f"{command} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def files(self) -> set[Path]:
        """Return everything that may not change."""
        return {*(self.root / "kith").rglob("*"), *(self.root / "venv").rglob("*")}


def instructions(file: Path) -> Iterator[tuple[str, str]]:
    """Read a Dockerfile: each instruction, and the rest of its line and of those it goes on in."""
    lines = [line for line in file.read_text().splitlines() if not line.lstrip().startswith("#")]
    for line in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines():
        if line.strip():
            instruction, _, rest = line.partition(" ")
            yield instruction, " ".join(rest.split())


def copy(name: str, place: Path) -> None:
    """Copy a file or folder if .dockerignore lets it into the build."""
    let_in = (SOURCE / ".dockerignore").read_text().splitlines()
    if f"!{name}" not in let_in:
        raise SystemExit(f"the Dockerfile copies {name}, which .dockerignore keeps out")
    source = SOURCE / name
    if source.is_dir():
        shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, place / name)


def expect(words: str, said: str) -> None:
    """End with a sentence unless these words were said."""
    if words not in said:
        raise SystemExit(f"expected {words!r}, but it said: {said}")


def main() -> None:
    """Build, seal, and use what was built."""
    with tempfile.TemporaryDirectory(prefix="kith-image-") as folder:
        image = Image(Path(folder))
        image.build()
        image.seal()
        before = image.files()
        kith, python = image.commands["ENTRYPOINT"], image.commands["ENTRYPOINT"][0]
        expect("DISCORD_TOKEN is not set", image.run([*kith, *image.commands["CMD"]], status=78))
        expect("no bot has sent a heartbeat", image.run(image.commands["HEALTHCHECK"], status=1))
        image.run([*kith, "console"], "I have a dog named Rex\n")
        answer = image.run([*kith, "console"], "what do you know about me?\n")
        expect("“I have a dog named Rex”", answer)
        expect("✓ database", image.run([*kith, "doctor"]))
        image.run([python, "-c", CHART])
        if tests := next(image.root.glob("venv/**/tests"), None):
            raise SystemExit(f"packages' tests take up space: {tests}")
        tools = image.run([python, "-c", "import pip"], status=1)
        expect("No module named 'pip'", tools)
        if image.files() != before:
            raise SystemExit(f"it wrote {image.files() - before}")
    print("the Dockerfile's steps give a program that runs read-only, and not as root")


if __name__ == "__main__":
    main()
