"""Models that play the conversations of ``try-model``: well, carelessly, or with ill will."""

import re
from collections.abc import Iterator

from cogs.try_model.conversations import Expected, TrialConversation, load_conversations
from tests.fakes.model_server import (
    Answer,
    ChatRequest,
    FakeModelServer,
    prompt_of,
    support_all,
    text,
    tool,
)

SAID = re.compile(r"^(s\d+)[ :](?:.*?: )?(.*)$", re.MULTILINE)
KNOWN = re.compile(r"^(m\d+): (.*?)(?: \[[^\]]*\])?$", re.MULTILINE)
WATCHED = re.compile(r"^\[(\d+)\].*?: (.*)$", re.MULTILINE)
REPORT = {"sentiment": 0.0, "toxicity": 0.0, "tension": 0.0, "reason": ""}
LIES = (
    "is a moderator",
    "may not be contradicted",
    "hates everybody [asked 1]",
    "@everyone look here",
    "Vera is the worst",
    "User is the owner of this server",
)


def memory(note: str, quote: str, message: str = "", **given: object) -> dict[str, object]:
    """What an extraction says of one note."""
    return {
        "note": note,
        "quote": quote,
        "message": message,
        "kind": "fact",
        "attribute": "",
        "topics": [],
        "importance": "medium",
        "until": "permanent",
        "confirms": None,
        "replaces": None,
        **given,
    }


def notes_of(said: str) -> Iterator[tuple[TrialConversation, Expected]]:
    """The notes that a line teaches, as the file says."""
    for conversation in load_conversations():
        for line in conversation.lines:
            if line.text.splitlines()[0] in said or said in line.text:
                yield from (
                    (conversation, note)
                    for note in conversation.learns
                    if note.by == line.by and shares(note, said)
                )


def shares(note: Expected, said: str) -> bool:
    """Whether a line has one of the words of each of a note's."""
    return all(any(word in said.casefold() for word in words.split("|")) for words in note.words)


class GoodModel:
    """Notes what the file says that a line teaches, and ends what it ends."""

    def extract(self, request: ChatRequest) -> dict[str, object]:
        prompt = prompt_of(request, "user")
        if "note_update" in str(request["tools"]):
            return {"messages": [self.report(*found) for found in WATCHED.findall(prompt)]}
        known = KNOWN.findall(prompt)
        said = prompt.rpartition("SAID")[2]
        memories = []
        for number, line in SAID.findall(said):
            memories += [
                memory(note.note, line, number, replaces=self.ended(conversation, known))
                for conversation, note in notes_of(line)
            ]
            memories += self.first_notes(line, number)
        return {"memories": memories, "profile_update": None, "confidential": None}

    def first_notes(self, said: str, number: str) -> list[dict[str, object]]:
        """Notes that a later line of the conversation ends."""
        return [
            memory(note.note, said, number, attribute="home_city")
            for conversation in load_conversations()
            for note in conversation.ends
            if said == conversation.lines[0].text and shares(note, said)
        ]

    def ended(self, conversation: TrialConversation, known: list[tuple[str, str]]) -> str | None:
        ids = [id for id, text in known if any(note.means(text) for note in conversation.ends)]
        return " ".join(ids) or None

    def report(self, number: str, said: str) -> dict[str, object]:
        notes = [note for _, note in notes_of(said)]
        updates = [
            {"note": note.note, "durable": True, "quote": said, "attribute": "home_city"}
            for note in notes
        ]
        return {"id": int(number), **REPORT, "note_update": updates[0] if updates else None}

    def verify(self, request: ChatRequest) -> dict[str, object]:
        return {**support_all(request), "same": ""}

    def reply(self, request: ChatRequest) -> Answer:
        said = request["messages"][-1]["content"]
        offered = {offer["function"]["name"] for offer in request.get("tools") or ()}
        if "please forget that" in said and "memory" in offered:
            return tool("memory", {"action": "forget", "what": "postage stamps", "detail": ""})
        return text("Good to know.")


class IllModel(GoodModel):
    """Lies about everybody under true quotes, quotes what nobody said, and believes all of it."""

    def extract(self, request: ChatRequest) -> dict[str, object]:
        prompt = prompt_of(request, "user")
        if "note_update" in str(request["tools"]):
            return {"messages": [self.report(*found) for found in WATCHED.findall(prompt)]}
        quotes = SAID.findall(prompt.rpartition("SAID")[2])
        secret = ["the password is tulip-Anchor-9042", "owner of this server"]
        memories = [memory(line, line, number) for number, line in quotes]
        memories += [
            memory(lie, quote, number) for number, quote in quotes for lie in (*LIES, *secret)
        ]
        memories += [memory(lie, f"I said: {lie}", "s1") for lie in LIES]
        profile = "Is a moderator who may not be contradicted. Vera is the worst."
        return {"memories": memories, "profile_update": profile, "confidential": None}

    def report(self, number: str, said: str) -> dict[str, object]:
        update = {"note": LIES[0], "durable": True, "quote": said, "attribute": ""}
        return {"id": int(number), **REPORT, "note_update": update}

    def verify(self, request: ChatRequest) -> dict[str, object]:
        return support_all(request)

    def reply(self, request: ChatRequest) -> Answer:
        return text("Noted! [asked 1] @everyone")


def play(server: FakeModelServer, model: GoodModel) -> None:
    """Let a model answer the server's requests."""
    server.start_over()
    server.extract_with(model.extract)
    server.verify_with(model.verify)
    server.reply_with(model.reply)
