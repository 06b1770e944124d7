"""What came with a message, as a prompt tells it and as search finds it. Pure."""

from collections.abc import Sequence

from utils.memory.stems import stems
from utils.model.artifact import ArtifactKind, Conclusion, Surrogate
from utils.text import clip, estimate_tokens, one_line, utf16_length

CAPTION_STEMS = 80
PART_STEMS = 160
SHORTEST_EXCERPT = 40  # characters

# What people call a thing of a kind, so that "in my screenshot" finds it.
_CALLED = {
    ArtifactKind.IMAGE: "image picture pic photo screenshot bild foto grafik bildschirmfoto "
    "imagen captura imagem capture écran скриншот картинка изображение 画像 写真 图片 截图",
    ArtifactKind.DOCUMENT: "document file pdf attachment datei dokument anhang fichier archivo "
    "documento arquivo anexo файл документ ファイル 文件",
    ArtifactKind.AUDIO: "recording audio voice sprachnachricht aufnahme enregistrement vocal "
    "grabación gravação áudio запись голосовое 録音 录音",
    ArtifactKind.VIDEO: "video clip vidéo vídeo видео 動画 视频",
    ArtifactKind.LINK: "link article url enlace lien ссылка リンク 链接",
    ArtifactKind.OTHER: "file attachment",
}


def searched_by(conclusion: Conclusion, name: str) -> list[str]:
    """Return, for the caption and each part, two lines of stems: its own, and what it is called."""
    called = " ".join(
        stem
        for word in (*_CALLED[conclusion.kind].split(), *_words_of(name))
        for stem in stems(word)[:1]
    )
    texts = [(f"{name} {conclusion.caption}", CAPTION_STEMS)]
    texts += [(part, PART_STEMS) for part in conclusion.parts]
    return [f"{' '.join(stems(text, limit=limit))}\n{called}" for text, limit in texts]


def told(surrogates: Sequence[Surrogate], asked: str, room: int) -> list[str]:
    """Return what came with a message, a line each, with as much of its words as fit in ``room``
    tokens: first those parts that share words with what is asked. Each line has its share of it."""
    lines = []
    wanted = frozenset(stems(asked))
    for index, one in enumerate(surrogates):
        lines.append(_fitted(one.line, room // (len(surrogates) - index)))
        room -= estimate_tokens(lines[-1])
    for index, one in enumerate(surrogates):
        share = room // (len(surrogates) - index)
        text = _excerpt(one.parts, wanted, share)
        if text:
            lines[index] = f"{lines[index]}\n{text}"
            room -= estimate_tokens(text)
    return lines


def _excerpt(parts: Sequence[str], wanted: frozenset[str], room: int) -> str:
    """Return the parts that fit best, in their order, the last of them cut; … for what is left."""
    shared = [len(wanted.intersection(stems(part))) for part in parts]
    best = sorted(range(len(parts)), key=lambda i: (-shared[i], i))
    chosen: dict[int, str] = {}
    for i in best:
        cost = estimate_tokens(parts[i])
        if cost > room:
            excerpt = _fitted(parts[i], room)
            if len(excerpt) >= SHORTEST_EXCERPT:
                chosen[i] = excerpt
            break
        chosen[i] = parts[i]
        room -= cost
    found = [chosen[i] for i in sorted(chosen)]
    return "\n…\n".join(found) if len(chosen) < len(parts) else "\n".join(found)


def _fitted(text: str, room: int) -> str:
    """Shorten a text until it takes at most ``room`` tokens."""
    limit = utf16_length(text)
    while text and (cost := estimate_tokens(text)) > room:
        limit = min(limit - 1, limit * max(room, 0) // cost)
        text = clip(text, limit, at_word=True)
    return text


def _words_of(name: str) -> list[str]:
    return one_line("".join(c if c.isalnum() else " " for c in name)).split()
