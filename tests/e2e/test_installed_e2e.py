"""Kith as an installed program: ``pip install .``, then ``kith`` in any folder."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from utils.common.program import VERSION

ROOT = Path(__file__).parents[2]
SOURCES = ("cogs", "utils", "sql")
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
NO_NETWORK = ("--no-deps", "--no-build-isolation", "--no-index")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> Path:
    """A clone: the build writes into its folder."""
    folder = tmp_path_factory.mktemp("clone")
    for name in SOURCES:
        no_caches = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=no_caches)
    for name in ("bot.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture(scope="module")
def wheel(source, tmp_path_factory) -> Path:
    files = sorted(path for path in source.rglob("*") if path.is_file())
    (source / "files").write_text("\n".join(str(path.relative_to(source)) for path in files))
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([*PIP, "wheel", *NO_NETWORK, "-w", folder, source], check=True)
    return next(folder.glob("kith-*.whl"))


def test_the_wheel_holds_every_file_of_the_program(source, wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = (source / "files").read_text().splitlines()
    assert names == {name for name in files if name.startswith(("bot.py", *SOURCES))}


def test_it_works_in_any_folder_and_keeps_its_data_there(wheel, tmp_path):
    site, folder = tmp_path / "site", tmp_path / "somewhere"
    subprocess.run([*PIP, "install", *NO_NETWORK, "--target", site, wheel], check=True)
    folder.mkdir()
    environment = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME")}

    def kith(*arguments: str, text: str = "") -> str:
        finished = subprocess.run(
            [sys.executable, "-P", site / "bin" / "kith", *arguments],
            cwd=folder,
            env={**environment, "PYTHONPATH": str(site)},
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        assert finished.returncode == 0, finished.stderr
        return finished.stdout

    assert kith("--version").startswith(f"Kith {VERSION}")
    assert "usage: kith" in kith("--help")
    kith("console", text="I have a dog named Rex\n")
    assert "“I have a dog named Rex”" in kith("console", text="what do you know about me?\n")
    assert "✓ database" in kith("doctor")
    assert (folder / "data" / "kith.db").is_file()
    modules = "import cogs, bot, utils; print(bot.__file__)"
    where = [sys.executable, "-P", "-c", modules]
    shown = subprocess.run(
        where,
        cwd=folder,
        env={**environment, "PYTHONPATH": str(site)},
        capture_output=True,
        check=True,
    )
    assert shown.stdout.decode().strip() == str(site / "bot.py")  # not the clone
