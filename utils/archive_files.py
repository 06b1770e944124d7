"""An archive on disk: a folder, or a zip file, of JSON Lines with a manifest. Trusts nothing in it.

Only files that an archive has are opened, by their own names, whatever a manifest calls them; what
is read is bounded, and its size and SHA-256 must be the manifest's.
"""

import hashlib
import json
import shutil
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from utils.errors import BadInput

FORMAT, VERSION = "kith-archive", 1
MANIFEST = "manifest.json"
MOST_MANIFEST = 100_000
LONGEST_LINE = 4 << 20
MOST_TIMES_SMALLER = 200  # what a zip file may make of its bytes; text is a twentieth
ZIP = ".zip"
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
WHOLE = "whole.zip"
LINES = ".jsonl"

NO_SOURCE = "There is no archive {place}."
NOT_ONE = "{place} is no archive of Kith's: {why}."
NEWER = "{place} is an archive of format {found}; this Kith reads {known}: update it first."
EXISTS = "{place} is there already; name another place, for no archive is overwritten."
CHANGED = "{file} is not what the manifest says it is: it was damaged or changed."
BAD_LINE = "{file}, line {line}: {why}. Nothing was imported."


@dataclass(frozen=True, slots=True)
class Part:
    """What the manifest says of a file."""

    lines: int
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an archive is: when it was made, of whom (None: of all), and its files."""

    made_at: datetime
    guild_id: int | None
    user_id: int | None
    parts: Mapping[str, Part]


class Writer:
    """Writes an archive under a temporary name, which it loses when it is whole."""

    def __init__(self, target: Path) -> None:
        """Begin one. Raises BadInput where the target is there already."""
        if target.exists():
            raise BadInput(EXISTS, place=target)
        self._target = target
        self._folder = target.with_name(f"{target.name}.part")
        _clear(self._folder)
        self._folder.mkdir(mode=0o700, parents=True)
        self._stack = ExitStack()
        self._open: dict[str, tuple[IO[bytes], Any]] = {}
        self._lines: dict[str, int] = {}

    def write(self, name: str, line: bytes) -> None:
        """Append a line to the file of that name."""
        if name not in self._open:
            opened = self._stack.enter_context((self._folder / name).open("wb"))
            self._open[name] = opened, hashlib.sha256()
            self._lines[name] = 0
        stream, digest = self._open[name]
        stream.write(line)
        digest.update(line)
        self._lines[name] += 1

    def finish(self, made_at: datetime, guild_id: int | None, user_id: int | None) -> Manifest:
        """Write the manifest, and give the archive its name."""
        sizes = {name: stream.tell() for name, (stream, _) in self._open.items()}
        self._stack.close()
        parts = {
            name: Part(self._lines[name], sizes[name], digest.hexdigest())
            for name, (_, digest) in self._open.items()
        }
        manifest = Manifest(made_at, guild_id, user_id, parts)
        (self._folder / MANIFEST).write_text(_manifest_json(manifest), encoding="utf-8")
        if self._target.suffix == ZIP:
            self._zip()
        else:
            self._folder.rename(self._target)
        return manifest

    def _zip(self) -> None:
        part = self._folder / WHOLE
        with zipfile.ZipFile(part, "x", zipfile.ZIP_DEFLATED) as packed:
            for name in (MANIFEST, *self._open):
                packed.write(self._folder / name, name)
        part.chmod(0o600)
        part.rename(self._target)
        shutil.rmtree(self._folder)

    def abandon(self) -> None:
        """Take away what was begun; nothing, if it was finished."""
        self._stack.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _clear(folder: Path) -> None:
    """Take away what a killed export left. Raises BadInput where anything else is there."""
    if not (folder.exists() or folder.is_symlink()):
        return
    is_folder = folder.is_dir() and not folder.is_symlink()
    if not is_folder or any(
        one.suffix != LINES and one.name not in (MANIFEST, WHOLE) for one in folder.iterdir()
    ):
        raise BadInput(EXISTS, place=folder)
    shutil.rmtree(folder, ignore_errors=True)


class Source:
    """An archive that is read; close it at the end."""

    def __init__(self, place: Path, names: frozenset[str]) -> None:
        """Open one of files with these names. Raises BadInput for what is no archive."""
        self._place = place
        self._names = names
        self._stack = ExitStack()
        self._packed: zipfile.ZipFile | None = None
        if not place.exists():
            raise BadInput(NO_SOURCE, place=place)
        try:
            if not place.is_dir():
                self._packed = self._stack.enter_context(zipfile.ZipFile(place))
            self.manifest = self._read_manifest()
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError):
            self.close()
            why = "it is neither a folder nor a zip file"
            raise BadInput(NOT_ONE, place=place.name, why=why) from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of it."""
        self._stack.close()

    def lines(self, name: str) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of a file, with their numbers.

        Raises BadInput, at the end at the latest, where it is not what the manifest says.
        """
        part = self.manifest.parts.get(name)
        if part is None:
            return
        size, digest, number = 0, hashlib.sha256(), 0
        try:
            with self._opened(name, part.size) as stream:
                while line := stream.readline(LONGEST_LINE):
                    number, size = number + 1, size + len(line)
                    if not line.endswith(b"\n"):
                        raise BadInput(BAD_LINE, file=name, line=number, why="it has no end")
                    if size > part.size:
                        break
                    digest.update(line)
                    yield number, line
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError):
            raise BadInput(CHANGED, file=name) from None
        if (number, size, digest.hexdigest()) != (part.lines, part.size, part.sha256):
            raise BadInput(CHANGED, file=name)

    def _opened(self, name: str, size: int) -> IO[bytes]:
        if self._packed is None:
            file = self._place / name
            if not stat.S_ISREG(file.lstat().st_mode):  # also no symbolic link
                raise BadInput(NOT_ONE, place=self._place.name, why=f"{name} is no file")
            return file.open("rb")
        try:
            info = self._packed.getinfo(name)
        except KeyError:
            raise BadInput(NOT_ONE, place=self._place.name, why=f"it has no {name}") from None
        if info.compress_type not in PACKINGS:
            raise BadInput(NOT_ONE, place=self._place.name, why=f"{name} is packed in another way")
        too_small = info.file_size > MOST_TIMES_SMALLER * max(info.compress_size, 1)
        if info.file_size > size or too_small or info.flag_bits & 1:
            why = f"{name} is encrypted, or unpacks to more than it should"
            raise BadInput(NOT_ONE, place=self._place.name, why=why)
        return self._packed.open(info)

    def _read_manifest(self) -> Manifest:
        with self._opened(MANIFEST, MOST_MANIFEST) as stream:
            text = stream.read(MOST_MANIFEST)
        try:
            words = json.loads(text)
            if words["format"] != FORMAT:
                raise ValueError
            version = int(words["version"])
        except (ValueError, KeyError, TypeError, RecursionError):
            why = "its manifest cannot be read"
            raise BadInput(NOT_ONE, place=self._place.name, why=why) from None
        if version != VERSION:
            raise BadInput(NEWER, place=self._place.name, found=version, known=VERSION)
        return self._manifest(words)

    def _manifest(self, words: Mapping[str, Any]) -> Manifest:
        why = "its manifest cannot be read"
        try:
            parts = {
                str(name): Part(int(part["lines"]), int(part["bytes"]), str(part["sha256"]))
                for name, part in words["files"].items()
            }
            made_at = datetime.fromisoformat(words["made_at"])
            scope = [None if (one := words["scope"][key]) is None else int(one) for key in SCOPE]
            if parts.keys() - self._names:
                why = "its manifest names a file that no archive has"
                raise ValueError
            if made_at.tzinfo is None:
                raise ValueError
            return Manifest(made_at, scope[0], scope[1], parts)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
            raise BadInput(NOT_ONE, place=self._place.name, why=why) from None


SCOPE = ("server", "member")


def verify(source: Source, read: Callable[[str, bytes], object], wrong: type[ValueError]) -> None:
    """Read every line of an archive. Raises BadInput at the first that is wrong."""
    for name in source.manifest.parts:
        for number, line in source.lines(name):
            try:
                read(name, line)
            except wrong as error:
                raise BadInput(BAD_LINE, file=name, line=number, why=str(error)) from None


def _manifest_json(manifest: Manifest) -> str:
    ids = (manifest.guild_id, manifest.user_id)
    words = {
        "format": FORMAT,
        "version": VERSION,
        "made_at": manifest.made_at.isoformat(),
        "scope": {
            key: None if one is None else str(one) for key, one in zip(SCOPE, ids, strict=True)
        },
        "files": {
            name: {"lines": part.lines, "bytes": part.size, "sha256": part.sha256}
            for name, part in manifest.parts.items()
        },
    }
    return f"{json.dumps(words, indent=1)}\n"
