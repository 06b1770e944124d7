"""Render attachments for prompts and for the search index. Pure."""

from collections.abc import Sequence

from utils.common.text import clip, estimate_tokens, one_line, utf16_length
from utils.models.attachment import AttachmentKind, AttachmentText, FileDescription
from utils.nlp.stemming import stems

CAPTION_STEMS = 80
PART_STEMS = 160
MIN_EXCERPT_LENGTH = 40  # characters

# What people call each kind, so that "in my screenshot" finds it.
_KIND_WORDS = {
    AttachmentKind.IMAGE: "image picture pic photo screenshot bild foto grafik bildschirmfoto "
    "imagen captura imagem capture écran скриншот картинка изображение 画像 写真 图片 截图",
    AttachmentKind.DOCUMENT: "document file pdf attachment datei dokument anhang fichier archivo "
    "documento arquivo anexo файл документ ファイル 文件",
    AttachmentKind.AUDIO: "recording audio voice sprachnachricht aufnahme enregistrement vocal "
    "grabación gravação áudio запись голосовое 録音 录音",
    AttachmentKind.VIDEO: "video clip vidéo vídeo видео 動画 视频",
    AttachmentKind.LINK: "link article url enlace lien ссылка リンク 链接",
    AttachmentKind.OTHER: "file attachment",
    AttachmentKind.TOOL: "tool result werkzeug ergebnis",
}


def search_lines(conclusion: FileDescription, name: str) -> list[str]:
    """Return two lines of stems for the caption and each part: its own, and words for its kind."""
    name_words = one_line("".join(c if c.isalnum() else " " for c in name)).split()
    kind_stems = " ".join(
        stem
        for word in (*_KIND_WORDS[conclusion.kind].split(), *name_words)
        for stem in stems(word)[:1]
    )
    texts = [
        (f"{name} {conclusion.caption}", CAPTION_STEMS),
        *((part, PART_STEMS) for part in conclusion.parts),
    ]
    return [f"{' '.join(stems(text, limit=limit))}\n{kind_stems}" for text, limit in texts]


def attachment_lines(
    attachment_texts: Sequence[AttachmentText], question: str, max_tokens: int
) -> list[str]:
    """Return one text for each attachment of a message, with as much content as fits.

    Each attachment has an equal share of ``max_tokens``. Parts that share words with ``question``
    come first.
    """
    lines = []
    question_stems = frozenset(stems(question))
    for index, attachment in enumerate(attachment_texts):
        lines.append(_fitted(attachment.line, max_tokens // (len(attachment_texts) - index)))
        max_tokens -= estimate_tokens(lines[-1])
    for index, attachment in enumerate(attachment_texts):
        share = max_tokens // (len(attachment_texts) - index)
        text = _excerpt(attachment.parts, question_stems, share)
        if text:
            lines[index] = f"{lines[index]}\n{text}"
            max_tokens -= estimate_tokens(text)
    return lines


def _excerpt(parts: Sequence[str], question_stems: frozenset[str], max_tokens: int) -> str:
    """Return the best matching parts that fit, in their order; the last may be cut, … for gaps."""
    shared = [len(question_stems.intersection(stems(part))) for part in parts]
    best = sorted(range(len(parts)), key=lambda i: (-shared[i], i))
    chosen: dict[int, str] = {}
    for i in best:
        tokens = estimate_tokens(parts[i])
        if tokens > max_tokens:
            excerpt = _fitted(parts[i], max_tokens)
            if len(excerpt) >= MIN_EXCERPT_LENGTH:
                chosen[i] = excerpt
            break
        chosen[i] = parts[i]
        max_tokens -= tokens
    excerpts = [chosen[i] for i in sorted(chosen)]
    return "\n…\n".join(excerpts) if len(chosen) < len(parts) else "\n".join(excerpts)


def _fitted(text: str, max_tokens: int) -> str:
    """Shorten a text until it takes at most ``max_tokens``."""
    limit = utf16_length(text)
    while text and (tokens := estimate_tokens(text)) > max_tokens:
        limit = min(limit - 1, limit * max(max_tokens, 0) // tokens)
        text = clip(text, limit, at_word=True)
    return text
