"""An archive on disk: a folder, or a zip file, of JSON Lines files with a manifest.

The reader trusts nothing: it opens only files that an archive can have, reads a bounded amount, and
compares size and SHA-256 with the manifest.
"""

import hashlib
import shutil
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from utils.admin.leftovers import part_of
from utils.common.errors import BadInput
from utils.database.admin.archive_values import OptionalId, Time

FORMAT: Literal["kith-archive"] = "kith-archive"
VERSION = 1
MANIFEST = "manifest.json"
MAX_MANIFEST = 100_000
MAX_LINE_LENGTH = 4 << 20
MAX_ZIP_RATIO = 200  # of unpacked to packed size; plain text has about 20
ZIP = ".zip"
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
UNFINISHED_ZIP = "whole.zip"
LINES = ".jsonl"

NO_SOURCE = "There is no archive {place}."
NO_ARCHIVE = "{place} is not a Kith archive: {why}."
NEWER = "{place} is an archive of format {version}; this Kith reads {known}: update Kith first."
EXISTS = "{place} already exists. Name another place: an archive is never overwritten."
CHANGED = "{file} does not match the manifest: it was damaged or changed."
BAD_LINE = "{file}, line {line}: {why}. Nothing was imported."


class FileEntry(BaseModel):
    """What the manifest says about a file; ``size`` is in bytes."""

    model_config = ConfigDict(frozen=True)
    lines: int
    size: int = Field(alias="bytes")
    sha256: str


class Scope(BaseModel):
    """Whose data an archive holds; None: all servers', all members'."""

    server: OptionalId
    member: OptionalId


class ArchiveFormat(BaseModel):
    """How an archive is written; other versions may have other fields besides these."""

    format: Literal["kith-archive"] = FORMAT
    version: int = VERSION


class Manifest(ArchiveFormat):
    """What an archive holds: when it was made, whose data, and its files."""

    made_at: Time
    scope: Scope
    files: Mapping[str, FileEntry]


class ArchiveWriter:
    """Writes an archive under a temporary name, and renames it when it is complete."""

    def __init__(self, target: Path) -> None:
        """Create the temporary folder. Raises BadInput if the target exists."""
        if target.exists():
            raise BadInput(EXISTS, place=target)
        self._target = target
        self._folder = part_of(target)
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
        """Write the manifest and give the archive its final name; returns the manifest."""
        sizes = {name: stream.tell() for name, (stream, _) in self._open.items()}
        self._stack.close()
        files = {
            name: FileEntry(lines=self._lines[name], bytes=sizes[name], sha256=digest.hexdigest())
            for name, (_, digest) in self._open.items()
        }
        scope = Scope.model_construct(server=guild_id, member=user_id)
        manifest = Manifest.model_construct(made_at=made_at, scope=scope, files=files)
        text = f"{manifest.model_dump_json(indent=1, by_alias=True)}\n"
        (self._folder / MANIFEST).write_text(text, encoding="utf-8")
        if self._target.suffix == ZIP:
            self._zip()
        else:
            self._folder.rename(self._target)
        return manifest

    def _zip(self) -> None:
        unfinished = self._folder / UNFINISHED_ZIP
        with zipfile.ZipFile(unfinished, "x", zipfile.ZIP_DEFLATED) as packed:
            for name in (MANIFEST, *self._open):
                packed.write(self._folder / name, name)
        unfinished.chmod(0o600)
        unfinished.rename(self._target)
        shutil.rmtree(self._folder)

    def discard(self) -> None:
        """Delete an unfinished archive."""
        with suppress(OSError):  # closing writes the rest, which a full disk refuses again
            self._stack.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _clear(folder: Path) -> None:
    """Delete what a killed export left. Raises BadInput if anything else is there."""
    if not (folder.exists() or folder.is_symlink()):
        return
    is_folder = folder.is_dir() and not folder.is_symlink()
    if not is_folder or any(
        file.suffix != LINES and file.name not in (MANIFEST, UNFINISHED_ZIP)
        for file in folder.iterdir()
    ):
        raise BadInput(EXISTS, place=folder)
    shutil.rmtree(folder, ignore_errors=True)


class ArchiveReader:
    """Reads an archive; the caller closes it."""

    def __init__(self, place: Path, names: frozenset[str]) -> None:
        """Open an archive; ``names`` are the files it may have. Raises BadInput if it is none."""
        self._place = place
        self._names = names
        self._stack = ExitStack()
        self._packed: zipfile.ZipFile | None = None
        if not place.exists():
            raise BadInput(NO_SOURCE, place=place)
        try:
            if not place.is_dir():
                if not place.is_file():
                    raise ValueError  # a device would be read without end
                self._packed = self._stack.enter_context(zipfile.ZipFile(place))
            self.manifest = self._read_manifest()
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError):
            self.close()
            why = "it is neither a folder nor a zip file"
            raise BadInput(NO_ARCHIVE, place=place.name, why=why) from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close its files."""
        self._stack.close()

    def lines(self, name: str) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of a file with their numbers.

        Raises BadInput if the file does not match the manifest, at the latest after the last line.
        """
        entry = self.manifest.files.get(name)
        if entry is None:
            return
        size, digest, number = 0, hashlib.sha256(), 0
        try:
            with self._opened(name, entry.size) as stream:
                while line := stream.readline(MAX_LINE_LENGTH):
                    number, size = number + 1, size + len(line)
                    if not line.endswith(b"\n"):
                        raise BadInput(BAD_LINE, file=name, line=number, why="it has no end")
                    if size > entry.size:
                        break
                    digest.update(line)
                    yield number, line
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError):
            raise BadInput(CHANGED, file=name) from None
        if (number, size, digest.hexdigest()) != (entry.lines, entry.size, entry.sha256):
            raise BadInput(CHANGED, file=name)

    def _opened(self, name: str, size: int) -> IO[bytes]:
        if self._packed is None:
            file = self._place / name
            if not stat.S_ISREG(file.lstat().st_mode):  # also no symbolic link
                raise BadInput(NO_ARCHIVE, place=self._place.name, why=f"{name} is no file")
            return file.open("rb")
        try:
            info = self._packed.getinfo(name)
        except KeyError:
            raise BadInput(NO_ARCHIVE, place=self._place.name, why=f"it has no {name}") from None
        if info.compress_type not in COMPRESSIONS:
            raise BadInput(
                NO_ARCHIVE, place=self._place.name, why=f"{name} is compressed in an unknown way"
            )
        is_bomb = info.file_size > MAX_ZIP_RATIO * max(info.compress_size, 1)
        if info.file_size > size or is_bomb or info.flag_bits & 1:
            why = f"{name} is encrypted, or unpacks to more than it should"
            raise BadInput(NO_ARCHIVE, place=self._place.name, why=why)
        return self._packed.open(info)

    def _read_manifest(self) -> Manifest:
        with self._opened(MANIFEST, MAX_MANIFEST) as stream:
            text = stream.read(MAX_MANIFEST)
        try:
            version = ArchiveFormat.model_validate_json(text).version
            if version != VERSION:
                raise BadInput(NEWER, place=self._place.name, version=version, known=VERSION)
            manifest = Manifest.model_validate_json(text)
        except ValidationError:
            why = "its manifest cannot be read"
            raise BadInput(NO_ARCHIVE, place=self._place.name, why=why) from None
        if manifest.files.keys() - self._names:
            why = "its manifest names a file that no archive has"
            raise BadInput(NO_ARCHIVE, place=self._place.name, why=why)
        return manifest


def verify(
    archive: ArchiveReader, check: Callable[[str, bytes], object], invalid: type[ValueError]
) -> None:
    """Check every line of an archive. Raises BadInput for the first that raises ``invalid``."""
    for name in archive.manifest.files:
        for number, line in archive.lines(name):
            try:
                check(name, line)
            except invalid as error:
                raise BadInput(BAD_LINE, file=name, line=number, why=str(error)) from None
