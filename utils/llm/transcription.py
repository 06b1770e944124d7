"""Speech as text, from any OpenAI-compatible endpoint."""

from io import BytesIO
from typing import Self

from utils.common.config import Settings
from utils.common.errors import ModelMalformed, ModelRefused
from utils.common.text import clean
from utils.llm.capabilities import refusal, reported_error
from utils.llm.endpoint import Endpoint, EndpointRefused, beside_chat

TIMEOUT_S = 120.0
CONCURRENCY = 2


class Transcriber:
    """A model that writes down what is said, behind its own client. Its caller tries again."""

    def __init__(
        self, model: str, *, api_key: str | None = None, base_url: str | None = None
    ) -> None:
        self.model = model
        self._endpoint = Endpoint(api_key, base_url, concurrency=CONCURRENCY)

    @classmethod
    def from_settings(cls, settings: Settings) -> Self | None:
        """Build the client that TRANSCRIPTION_MODEL asks for; None where it is not set.

        Raises SettingsError where there is no endpoint, or an impossible key or address.
        """
        if settings.transcription_model is None:
            return None
        key, base_url = beside_chat(
            settings,
            settings.transcription_base_url,
            settings.transcription_api_key,
            "TRANSCRIPTION_MODEL names a model, but there is no endpoint to ask: set "
            "OPENAI_API_KEY, OPENAI_BASE_URL or TRANSCRIPTION_BASE_URL.",
        )
        return cls(settings.transcription_model, api_key=key, base_url=base_url)

    async def transcribe(self, data: bytes, name: str, media_type: str) -> str:
        """Return what is said in a recording. Raises ModelError."""
        request = {
            "model": self.model,
            "file": (name, BytesIO(data), media_type),  # sent in pieces, not at a stroke
            "response_format": "json",
        }
        try:
            body = await self._endpoint.transcriptions(request, TIMEOUT_S)
        except EndpointRefused as error:
            raise refusal(error.status, error.text) from None
        if reported := reported_error(body):
            raise refusal(*reported)
        if not isinstance(body, dict):
            raise ModelRefused
        text = body.get("text")
        if not isinstance(text, str):
            raise ModelMalformed
        return clean(text).strip()

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()
