"""What is kept of a file: a caption and its words, with a model's help where there is one.

Nothing here fails for want of a model: what cannot be described is known by its name and size.
"""

import logging
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from utils.common.errors import BudgetSpent, ModelError, ModelUnreachable
from utils.common.text import clean, clip, estimate_tokens, one_line, utf16_length
from utils.files.sandbox import FileSandbox
from utils.files.sniffing import AUDIO_SUFFIXES, VIDEO_SUFFIXES
from utils.files.text_files import limited, paragraphs
from utils.files.unreadable import SandboxUnavailable, UnreadableFile
from utils.llm import prompts
from utils.llm.chat_completions import PICTURE_TOKENS
from utils.llm.client import LanguageModel
from utils.llm.token_budget import TokenBudget
from utils.llm.transcription import Transcriber
from utils.models.attachment import (
    CAPTION_LIMIT,
    CHUNK_LIMIT,
    Attachment,
    AttachmentKind,
    FileContents,
    FileDescription,
)
from utils.models.llm import ChatMessage, Picture, ToolDefinition, Usage, object_schema
from utils.models.memory import Member

SUMMARISED_CHARACTERS = 6_000
SHORT_DOCUMENT = 300  # characters: such a one speaks for itself
MAX_PICTURE_TOKENS = 1_500
MAX_SUMMARY_TOKENS = 300
RECORDING_TOKENS_PER_BYTE = 1 / 1_000  # 32 kbit/s of speech is 4 tokens a second
NOT_HEARD = "which I have not listened to"

_log = logging.getLogger(__name__)


def _tool(name: str, description: str, *fields: str) -> ToolDefinition:
    texts = {field: {"type": "string"} for field in fields}
    return ToolDefinition(name, description, object_schema(**texts))


PICTURE_TOOL = _tool("describe_picture", "Say what is seen.", "caption", "description", "text")
DOCUMENT_TOOL = _tool("summarise_document", "Say what the document is.", "gist")


@dataclass(eq=False, repr=False)
class Describer:
    """Turns what a file holds into what is kept of it, within its poster's budget."""

    _workers: FileSandbox
    _budget: TokenBudget
    _model: LanguageModel | None = None
    _vision_model: str | None = None
    _transcriber: Transcriber | None = None

    @property
    def hears(self) -> bool:
        """Whether recordings can be transcribed, and so are worth fetching."""
        return self._transcriber is not None

    async def close(self) -> None:
        """Close what was opened for this alone."""
        if self._transcriber is not None:
            await self._transcriber.close()

    async def describe(
        self, member: Member, attachment: Attachment, contents: FileContents, *, patient: bool
    ) -> FileDescription:
        """Return what is kept of an image or a document.

        While its model is away, ``patient`` raises ModelUnreachable, so that it is tried again;
        otherwise the model is done without.
        """
        try:
            if contents.kind is AttachmentKind.IMAGE:
                return await self._image(member, attachment, contents)
            return await self._document(member, attachment, contents)
        except ModelUnreachable:
            if patient:
                raise
        except (ModelError, BudgetSpent) as error:
            _log.warning("an attachment is kept without a description: %s", error.for_operator)
        return await self._plain(attachment, contents)

    async def transcribe(
        self, member: Member, attachment: Attachment, data: bytes, *, patient: bool
    ) -> FileDescription:
        """Return what is kept of a recording: what is said in it. Raises as :meth:`describe`."""
        size = size_in_words(attachment.size)
        unheard = FileDescription(AttachmentKind.AUDIO, f"{size}, {NOT_HEARD}", is_fallback=True)
        if self._transcriber is None:
            return unheard
        tokens = int(len(data) * RECORDING_TOKENS_PER_BYTE) + 1
        ending = PurePosixPath(attachment.name.lower()).suffix.removeprefix(".")
        if ending not in f"{AUDIO_SUFFIXES} {VIDEO_SUFFIXES}".split():
            ending = "ogg"
        try:
            async with self._budget.hold(member, "attachment", tokens, 0) as hold:
                text = await self._transcriber.transcribe(  # the name is nobody's business
                    data, f"recording.{ending}", attachment.media_type or "audio/ogg"
                )
                hold.usage = Usage(tokens, estimate_tokens(text)).of(self._transcriber.model)
        except ModelUnreachable:
            if patient:
                raise
            return unheard
        except (ModelError, BudgetSpent) as error:
            _log.warning("a recording is kept without its words: %s", error.for_operator)
            return unheard
        if not text:
            return FileDescription(AttachmentKind.AUDIO, f"{size}, in which nothing is said")
        parts, note = limited(paragraphs(text))
        excerpt = clip(one_line(text), 200, at_word=True)
        return as_stored(AttachmentKind.AUDIO, f'"{excerpt}"', note, parts)

    async def _image(
        self, member: Member, attachment: Attachment, contents: FileContents
    ) -> FileDescription:
        if self._model is None or self._vision_model is None:
            return await self._plain(attachment, contents)
        picture = Picture(contents.picture, contents.picture_type)
        answer = await self._ask(
            member,
            [
                ChatMessage("system", prompts.load("picture").text),
                ChatMessage("user", "The picture:", pictures=(picture,)),
            ],
            PICTURE_TOOL,
            PICTURE_TOKENS,
            MAX_PICTURE_TOKENS,
            model=self._vision_model,
        )
        caption, description = one_line(answer["caption"]), one_line(answer["description"])
        parts, note = limited(paragraphs(answer["text"]))
        about = f"{caption}. {description}" if caption and description else caption or description
        if not about:
            return await self._plain(attachment, contents)
        return as_stored(AttachmentKind.IMAGE, about, note, parts)

    async def _document(
        self, member: Member, attachment: Attachment, contents: FileContents
    ) -> FileDescription:
        text = clip("\n\n".join(contents.parts), SUMMARISED_CHARACTERS)
        if len(text) <= SHORT_DOCUMENT:
            return replace(await self._plain(attachment, contents), is_fallback=False)
        if self._model is None:
            return await self._plain(attachment, contents)
        answer = await self._ask(
            member,
            [
                ChatMessage("system", prompts.load("document").text),
                ChatMessage("user", text),  # its name is its poster's, the gist everybody's
            ],
            DOCUMENT_TOOL,
            0,
            MAX_SUMMARY_TOKENS,
        )
        if not answer["gist"]:
            return await self._plain(attachment, contents)
        return as_stored(AttachmentKind.DOCUMENT, answer["gist"], contents.note, contents.parts)

    async def _plain(self, attachment: Attachment, contents: FileContents) -> FileDescription:
        """Do without a model: a picture's text by Tesseract, a document by its title."""
        size = size_in_words(attachment.size)
        if contents.kind is not AttachmentKind.IMAGE:
            description = as_stored(
                contents.kind, contents.title or size, contents.note, contents.parts
            )
            return replace(description, is_fallback=True)
        try:
            words = await self._workers.extract_words(contents.picture)
        except (UnreadableFile, SandboxUnavailable):
            words = ""
        parts, _ = limited(paragraphs(clean(words)))
        contents_note = "with text in it" if parts else "which I have not looked at"
        description = as_stored(
            contents.kind, f"{contents.note}, {size}, {contents_note}", "", parts
        )
        return replace(description, is_fallback=True)

    async def _ask(
        self,
        member: Member,
        messages: list[ChatMessage],
        tool: ToolDefinition,
        extra_tokens: int,
        answer_tokens: int,
        model: str | None = None,
    ) -> dict[str, str]:
        """Have a tool called, and return its fields as text. Raises ModelError or BudgetSpent."""
        assert self._model is not None  # noqa: S101
        result = await self._budget.ask(
            member,
            "attachment",
            messages,
            answer_tokens,
            self._model.call_tool,
            extra_tokens=extra_tokens,
            tool=tool,
            model=model,
        )
        arguments: dict[str, Any] = result.arguments
        fields = tool.parameters["required"]
        return {field: clean(str(arguments.get(field) or "")).strip() for field in fields}


def size_in_words(size: int) -> str:
    """Return a file's size: "12 kB", "3.4 MB"."""
    if size < 1_000:
        return f"{size} bytes"
    return f"{size / 1_000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def as_stored(
    kind: AttachmentKind, caption: str, note: str, parts: tuple[str, ...]
) -> FileDescription:
    """Put a caption and its parts into the form they are stored in; the note is never cut."""
    note = f" ({note})" if note else ""
    about = clip(one_line(clean(caption)), CAPTION_LIMIT - utf16_length(note), at_word=True)
    return FileDescription(
        kind,
        f"{about}{note}",
        tuple(clip(text, CHUNK_LIMIT) for part in parts if (text := clean(part))),
    )
