"""What models make of files, and what is kept where there is none, or none that sees."""

import pytest

from tests import attached_files as files
from tests.fakes.builders import ADA, make_budget, make_language_model
from tests.fakes.clock import ManualClock
from tests.fakes.model_server import error, pictures_of
from utils.common.errors import ModelUnreachable
from utils.files.sandbox import FileSandbox
from utils.files.sandbox_process import read
from utils.files.sniffing import declared_attachment
from utils.llm.transcription import Transcriber
from utils.memory.attachments.captioning import Describer
from utils.models.attachment import CAPTION_LIMIT

PNG = files.png()
SHOT = declared_attachment("shot.png", "image/png", len(PNG), "")
UNSEEN = "which I have not looked at"


def describer(server, database, daily_tokens=1_000_000, vision_model="sees"):
    model = make_language_model(chat_model="chats", base_url=server.base_url, max_retries=0)
    transcriber = Transcriber("hears", base_url=server.base_url)
    budget = make_budget(database, ManualClock(), daily_tokens)
    return Describer(FileSandbox(), budget, model, vision_model, transcriber)


async def test_a_picture_is_shown_once_as_a_data_url_and_kept_in_words(server, database):
    server.extract_with(lambda _: {"caption": "a map " * 300, "description": "x", "text": "Oslo"})
    made = await describer(server, database).describe(
        ADA, SHOT, read(PNG, "shot.png"), patient=True
    )
    assert made.caption.startswith("a map a map")
    assert len(made.caption) <= CAPTION_LIMIT
    assert made.parts == ("Oslo",)
    assert not made.is_fallback
    (request,) = server.chats
    assert request["model"] == "sees"
    assert sum(len(pictures_of(message)) for message in request["messages"]) == 1


@pytest.mark.parametrize("refused", ["images", "nothing said", "budget"])
async def test_a_picture_that_no_model_describes_is_known_by_its_size(server, database, refused):
    server.extract_with(lambda _: {"caption": "", "description": "", "text": ""})
    server.refuse |= {refused} & {"images"}
    tokens = 10 if refused == "budget" else 1_000_000
    one = describer(server, database, tokens)
    made = await one.describe(ADA, SHOT, read(PNG, "shot.png"), patient=True)
    assert made.caption.startswith("png, 120 × 80 pixels, ")
    assert (made.caption.endswith(UNSEEN), made.is_fallback) == (True, True)


async def test_a_model_that_is_away_is_asked_again_or_done_without(server, database):
    server.on_chat = lambda _: error(503)
    server.on_transcription = lambda _: error(503)
    one, contents = describer(server, database), read(PNG, "shot.png")
    with pytest.raises(ModelUnreachable):
        await one.describe(ADA, SHOT, contents, patient=True)
    assert (await one.describe(ADA, SHOT, contents, patient=False)).caption.endswith(UNSEEN)
    voice = declared_attachment("voice.wav", "audio/wav", 99, "")
    with pytest.raises(ModelUnreachable):
        await one.transcribe(ADA, voice, files.wav(), patient=True)
    made = await one.transcribe(ADA, voice, files.wav(), patient=False)
    assert made.caption == "99 bytes, which I have not listened to"


async def test_a_recording_is_sent_whole_again_and_under_no_name_of_its_posters(
    server, database, caplog
):
    answers = [error(500), "I will bring the zebra.", error(401)]
    server.on_transcription = lambda _: answers.pop(0)
    voice = declared_attachment("my affair with Bob.wav", "audio/wav", 99, "")
    describes = describer(server, database)
    with pytest.raises(ModelUnreachable):
        await describes.transcribe(ADA, voice, files.wav(), patient=True)
    made = await describes.transcribe(ADA, voice, files.wav(), patient=True)
    assert made.caption == '"I will bring the zebra."'
    forms = [one.body for one in server.requests if one.path.endswith("transcriptions")]
    assert [(one["name"], one["file"]) for one in forms] == [("recording.wav", files.wav())] * 2
    await describes.transcribe(ADA, voice, files.wav(), patient=True)
    assert ("WARNING", True) in {
        (one.levelname, "does not accept my key" in one.message) for one in caplog.records
    }
