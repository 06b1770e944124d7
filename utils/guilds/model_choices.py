"""Which of the operator's chat models a server and its channels ask first."""

from utils.common.config import Settings
from utils.common.errors import BadInput
from utils.guilds.settings import GuildSettingsService
from utils.models.guild import WHOLE_SERVER, GuildSettings
from utils.models.llm import MODEL_LIMIT

NO_MODEL = "No language model is configured, so there is none to choose."


class ModelChoiceService:
    """Stores which model of the operator's CHAT_MODEL a server or channel asks first.

    If it fails, the other models are asked in the order of CHAT_MODEL.
    """

    def __init__(self, guilds: GuildSettingsService, settings: Settings) -> None:
        self._guilds = guilds
        entries = settings.models_of(settings.chat_model) if settings.has_model else ()
        self.listed = tuple(map(str, entries))

    def order(self, settings: GuildSettings, *channel_ids: int) -> tuple[str, ...]:
        """Return the models in the order in which one of these channels asks them."""
        chosen = [name for name in settings.models_in(*channel_ids) if name in self.listed]
        return tuple(dict.fromkeys((*chosen, *self.listed)))

    async def choose(
        self, guild_id: int, model: str, channel_id: int = WHOLE_SERVER, *, actor_id: int = 0
    ) -> GuildSettings:
        """Ask this model first in a channel and its threads, or in the whole server.

        An empty ``model`` undoes the choice. Raises BadInput for one that the operator does not
        list.
        """
        if model and not self.listed:
            raise BadInput(NO_MODEL)
        if model and (model not in self.listed or len(model) > MODEL_LIMIT):
            raise BadInput(
                "My operator lists no model of that name; choose {models}.",
                models=", ".join(self.listed),
            )
        return await self._guilds.update(
            guild_id, lambda old: old.with_choice("models", channel_id, model), actor_id
        )
