"""An archive on disk: a folder, or a zip file, of one file of rows with a manifest.

The reader trusts nothing: it opens no other files, reads a bounded amount, and compares size and
SHA-256 with the manifest.
"""

import hashlib
import shutil
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from utils.admin.leftovers import part_of
from utils.common.errors import BadInput

FORMAT: Literal["kith-archive"] = "kith-archive"
VERSION = 2
MANIFEST = "manifest.json"
MAX_MANIFEST = 100_000
MAX_LINE_LENGTH = 1 << 20
MAX_ZIP_RATIO = 200  # of unpacked to packed size; plain text has about 20
ZIP = ".zip"
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
UNFINISHED_ZIP = "whole.zip"
ROWS = "rows.jsonl"

NO_ARCHIVE = "{place} is not a Kith archive: {why}."
NEWER = "{place} is an archive of format {version}; this Kith reads {known}: update Kith first."
OLDER = (
    "{place} is an archive of format {version}; this Kith reads {known}: update the Kith that made "
    "it, and export again."
)
EXISTS = "{place} already exists. Name another place: an archive is never overwritten."
CHANGED = "{file} does not match the manifest: it was damaged or changed."
BAD_LINE = "{file}, line {line}: {why}. Nothing was imported."


class ArchiveFormat(BaseModel):
    """How an archive is written; other versions may have other fields besides these."""

    format: Literal["kith-archive"] = FORMAT
    version: int = VERSION


class Manifest(ArchiveFormat):
    """When an archive was made, whose data it holds (None: everybody's), its rows by table, and
    their file."""

    model_config = ConfigDict(frozen=True)
    made_at: AwareDatetime
    server: str | None
    member: str | None
    rows: Mapping[str, int]
    size: int = Field(alias="bytes")
    sha256: str


class ArchiveWriter:
    """Writes an archive under a temporary name, and renames it when it is complete."""

    def __init__(self, target: Path) -> None:
        """Create the temporary folder. Raises BadInput if the target exists."""
        if target.exists():
            raise BadInput(EXISTS, place=target)
        self._target = target
        self._folder = part_of(target)
        if self._folder.exists() or self._folder.is_symlink():
            # What a killed export left is deleted, and nothing else.
            if (
                not self._folder.is_dir()
                or self._folder.is_symlink()
                or any(
                    file.name not in (MANIFEST, ROWS, UNFINISHED_ZIP)
                    for file in self._folder.iterdir()
                )
            ):
                raise BadInput(EXISTS, place=self._folder)
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(mode=0o700, parents=True)
        self._stream = (self._folder / ROWS).open("wb")
        self._digest = hashlib.sha256()
        self._rows: Counter[str] = Counter()

    def write(self, lines: Iterable[tuple[str, bytes]]) -> None:
        """Append lines, each with the name of the table of its row."""
        for table, line in lines:
            self._stream.write(line)
            self._digest.update(line)
            self._rows[table] += 1

    def finish(self, made_at: datetime, guild_id: int | None, user_id: int | None) -> Manifest:
        """Write the manifest and give the archive its final name; returns the manifest."""
        size = self._stream.tell()
        self._stream.close()
        server, member = (None if id_ is None else str(id_) for id_ in (guild_id, user_id))
        manifest = Manifest(
            made_at=made_at,
            server=server,
            member=member,
            rows=self._rows,
            bytes=size,
            sha256=self._digest.hexdigest(),
        )
        text = f"{manifest.model_dump_json(indent=1, by_alias=True)}\n"
        (self._folder / MANIFEST).write_text(text, encoding="utf-8")
        if self._target.suffix != ZIP:
            self._folder.rename(self._target)
            return manifest
        unfinished = self._folder / UNFINISHED_ZIP
        with zipfile.ZipFile(unfinished, "x", zipfile.ZIP_DEFLATED) as packed:
            for name in (MANIFEST, ROWS):
                packed.write(self._folder / name, name)
        unfinished.chmod(0o600)
        unfinished.rename(self._target)
        shutil.rmtree(self._folder)
        return manifest

    def discard(self) -> None:
        """Delete an unfinished archive."""
        with suppress(OSError):  # closing writes the rest, which a full disk refuses again
            self._stream.close()
        shutil.rmtree(self._folder, ignore_errors=True)


class ArchiveReader:
    """Reads an archive; the caller closes it."""

    def __init__(self, place: Path) -> None:
        """Open an archive. Raises BadInput if it is none."""
        self._place = place
        self._packed: zipfile.ZipFile | None = None
        if not place.exists():
            raise BadInput("There is no archive {place}.", place=place)
        try:
            with ExitStack() as stack:
                if not place.is_dir():
                    if not place.is_file():
                        raise ValueError  # a device would be read without end
                    self._packed = stack.enter_context(zipfile.ZipFile(place))
                self.manifest = self._read_manifest()
                self._stack = stack.pop_all()
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError):
            is_folder = place.is_dir()
            why = f"it has no {MANIFEST}" if is_folder else "it is neither a folder nor a zip file"
            raise BadInput(NO_ARCHIVE, place=place.name, why=why) from None

    def close(self) -> None:
        """Close its files."""
        self._stack.close()

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of the rows with their numbers.

        Raises BadInput if they do not match the manifest, at the latest after the last line.
        """
        stated, size, digest, number = self.manifest, 0, hashlib.sha256(), 0
        try:
            with self._opened(ROWS, stated.size) as stream:
                while line := stream.readline(MAX_LINE_LENGTH):
                    number, size = number + 1, size + len(line)
                    if not line.endswith(b"\n"):
                        raise BadInput(BAD_LINE, file=ROWS, line=number, why="it has no end")
                    if size > stated.size:
                        break
                    digest.update(line)
                    yield number, line
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError):
            raise BadInput(CHANGED, file=ROWS) from None
        read = (number, size, digest.hexdigest())
        if read != (sum(stated.rows.values()), stated.size, stated.sha256):
            raise BadInput(CHANGED, file=ROWS)

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
            raise BadInput(
                NO_ARCHIVE,
                place=self._place.name,
                why=f"{name} is encrypted, or unpacks to more than it should",
            )
        return self._packed.open(info)

    def _read_manifest(self) -> Manifest:
        with self._opened(MANIFEST, MAX_MANIFEST) as stream:
            text = stream.read(MAX_MANIFEST)
        try:
            version = ArchiveFormat.model_validate_json(text).version
            if version != VERSION:
                sentence = NEWER if version > VERSION else OLDER
                raise BadInput(sentence, place=self._place.name, version=version, known=VERSION)
            return Manifest.model_validate_json(text)
        except ValidationError:
            raise BadInput(
                NO_ARCHIVE, place=self._place.name, why="its manifest cannot be read"
            ) from None
