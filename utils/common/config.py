"""Settings, read once from the environment, .env and secret files.

Every field is a variable of .env.example, in capitals. It can also be a file of that name in a
folder of secrets. The environment overrides .env, and .env overrides files.
"""

import os
import re
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Self
from urllib.parse import quote

from pydantic import (
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from pydantic_settings import SettingsError as SourceError

from utils.common.env_file import EnvLine, ignored_lines
from utils.common.errors import SettingsError
from utils.common.links import LinkMode
from utils.common.model_lists import (
    parse_endpoint_keys,
    parse_endpoints,
    parse_models,
)
from utils.common.prices import Price, parse_prices
from utils.common.shards import MAX_SHARDS, parse_shards
from utils.models.llm import ModelEntry

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

DEFAULT_DATABASE_URL = "sqlite:///data/kith.db"
DEFAULT_LEDGER = Path("data/erasures.jsonl")
BUNDLED_EMBEDDING = Path(__file__).parents[1] / "llm" / "all-MiniLM-L6-v2"
MULTILINGUAL_EMBEDDING = BUNDLED_EMBEDDING.with_name("use-multilingual-3")
LOCAL_MODELS = {"local": BUNDLED_EMBEDDING, "local-multilingual": MULTILINGUAL_EMBEDDING}
SUPPORTED_DATABASES = ("sqlite:///", "mssql+pyodbc://")
CONTAINER_SECRETS = Path("/run/secrets")  # where Docker, Podman and compose put them
SYSTEMD_SECRETS = "CREDENTIALS_DIRECTORY"  # systemd names its folder in this variable
MIN_DASHBOARD_TOKEN_LENGTH = 16
PUBLIC_URL = re.compile(
    r"(?:https://[a-z0-9.-]+|http://(?:127\.0\.0\.1|localhost))(?::[0-9]{1,5})?/?", re.IGNORECASE
)
ENV_FILE = Path(".env")
ENV_FOLDER = (
    "{file} is a folder, so no setting in it counts. Remove it, and make a file of that name: copy "
    ".env.example."
)
NOT_NUMBER, NOT_WHOLE = "must be a number", "must be a whole number"
UNUSABLE = "has a value that cannot be used"
PROBLEMS = {  # by pydantic's types of errors
    "bool_parsing": "must be true or false",
    "int_parsing": NOT_WHOLE,
    "int_parsing_size": NOT_WHOLE,
    "int_from_float": NOT_WHOLE,
    "float_parsing": NOT_NUMBER,
    "finite_number": NOT_NUMBER,
    "greater_than": "must be more than {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than": "must be less than {lt:g}",
    "less_than_equal": "must be at most {le:g}",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
}
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


class Settings(BaseSettings):
    """Everything an operator can choose. Durations are seconds, sizes are counts."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore"
    )

    discord_token: SecretStr | None = None
    shard_count: Annotated[int | None, Field(ge=1, le=MAX_SHARDS)] = None
    shard_ids: Annotated[tuple[int, ...] | None, NoDecode] = None
    database_url: str = DEFAULT_DATABASE_URL
    database_password: SecretStr | None = None
    database_pool_size: Annotated[int, Field(ge=1, le=64)] = 4
    erasure_ledger: Path | None = None

    openai_api_key: SecretStr | None = None
    openai_base_url: str | None = None
    model_endpoints: Annotated[Mapping[str, str] | None, NoDecode] = None
    model_endpoint_keys: SecretStr | None = None
    chat_model: str = "gpt-4.1-mini"
    triage_model: str | None = None
    verify_model: str | None = None
    chat_timeout_s: Annotated[float, Field(gt=0, le=600)] = 60.0
    triage_timeout_s: Annotated[float, Field(gt=0, le=600)] = 45.0
    model_concurrency: Annotated[int, Field(ge=1, le=256)] = 8
    embedding_model: str | None = None
    embedding_base_url: str | None = None
    embedding_api_key: SecretStr | None = None
    daily_token_budget: Annotated[int, Field(ge=0)] = 500_000
    model_prices: Annotated[Mapping[str, Price] | None, NoDecode] = None
    model_currency: Annotated[str, Field(min_length=1, max_length=5)] = "$"

    line_pause_s: Annotated[float, Field(ge=0, le=30)] = 1.5
    member_cooldown_s: Annotated[float, Field(ge=0, le=3600)] = 3.0
    channel_queue: Annotated[int, Field(ge=1, le=100)] = 10
    stream_answers: bool = True
    answer_links: LinkMode = LinkMode.PLAIN

    attachments: bool = True
    read_links: bool = False
    links_per_hour: Annotated[int, Field(ge=1, le=1000)] = 10
    attachment_max_mb: Annotated[int, Field(ge=1, le=25)] = 25
    vision_model: str | None = None
    transcription_model: str | None = None
    transcription_base_url: str | None = None
    transcription_api_key: SecretStr | None = None

    memory_cap: Annotated[int, Field(ge=1, le=10_000)] = 500
    block_tokens: Annotated[int, Field(ge=100, le=2_000)] = 400
    memory_read_only: bool = False
    forbidden_categories: str = "all"
    burst_quiet_s: Annotated[float, Field(ge=0, le=600)] = 4.0
    extraction_workers: Annotated[int, Field(ge=1, le=32)] = 2
    prune_hour_utc: Annotated[int, Field(ge=0, le=23)] = 4

    watch_batch: Annotated[int, Field(ge=5, le=50)] = 20
    watch_quiet_s: Annotated[float, Field(ge=1, le=3600)] = 60.0
    watch_patience_s: Annotated[float, Field(ge=0, le=3600)] = 600.0
    watch_prefilter: Literal["off", "heated"] = "off"

    dashboard_token: SecretStr | None = None
    dashboard_host: str = "127.0.0.1"
    dashboard_port: Annotated[int, Field(ge=0, le=65_535)] = 8080
    dashboard_proxies: Annotated[tuple[str, ...], NoDecode] = ("127.0.0.1", "::1")
    dashboard_names: Annotated[tuple[str, ...], NoDecode] = ()
    dashboard_public_url: str | None = None

    mcp_servers: Path | None = None
    mcp_tokens: SecretStr | None = None
    mcp_port: Annotated[int, Field(ge=0, le=65_535)] = 8090

    log_level: str = "INFO"

    @field_validator("shard_ids", mode="before")
    @classmethod
    def _parse_shards(cls, value: object) -> object:
        return parse_shards(value) if isinstance(value, str) else value

    @field_validator("shard_ids")
    @classmethod
    def _check_shards(
        cls, ids: tuple[int, ...] | None, info: ValidationInfo
    ) -> tuple[int, ...] | None:
        if ids is None or "shard_count" not in info.data:  # reported already
            return ids
        count = info.data["shard_count"]
        if count is None:
            raise ValueError("needs SHARD_COUNT too: how many shards all processes have together")
        if not ids or max(ids) >= count:
            raise ValueError(f"must lie between 0 and {count - 1}, as SHARD_COUNT is {count}")
        if len(set(ids)) < len(ids):
            raise ValueError("names a shard twice")
        return ids

    @field_validator("model_endpoints", mode="before")
    @classmethod
    def _parse_endpoints(cls, value: object) -> object:
        return parse_endpoints(value) if isinstance(value, str) else value

    @field_validator("model_endpoint_keys")
    @classmethod
    def _check_endpoint_keys(cls, keys: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if keys is not None and "model_endpoints" in info.data:  # else reported already
            parse_endpoint_keys(keys.get_secret_value(), info.data["model_endpoints"] or ())
        return keys

    @field_validator("chat_model", "triage_model", "verify_model", "vision_model")
    @classmethod
    def _check_models(cls, models: str | None, info: ValidationInfo) -> str | None:
        if models is not None and "model_endpoints" in info.data:
            parse_models(models, info.data["model_endpoints"] or ())
        return models

    @field_validator("model_prices", mode="before")
    @classmethod
    def _parse_prices(cls, value: object) -> object:
        return parse_prices(value) if isinstance(value, str) else value

    @field_validator("database_url")
    @classmethod
    def _check_database(cls, url: str) -> str:
        if not url.startswith(SUPPORTED_DATABASES):
            raise ValueError(f"must begin with {' or '.join(SUPPORTED_DATABASES)}")
        return url

    @field_validator(
        "discord_token",
        "database_password",
        "openai_api_key",
        "model_endpoint_keys",
        "embedding_api_key",
        "transcription_api_key",
        "dashboard_token",
        "mcp_tokens",
    )
    @classmethod
    def _check_secret(cls, secret: SecretStr | None) -> SecretStr | None:
        if secret is not None and not secret.get_secret_value():  # empty variables count as unset
            raise ValueError("is an empty file")
        return secret

    @field_validator("dashboard_proxies", mode="before")
    @classmethod
    def _parse_proxies(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        networks = [network.strip() for network in value.split(",") if network.strip()]
        try:
            for network in networks:
                ip_network(network)
        except ValueError:
            raise ValueError(
                "must be addresses or networks, such as 127.0.0.1,172.16.0.0/12"
            ) from None
        return tuple(networks)

    @field_validator("dashboard_names", mode="before")
    @classmethod
    def _parse_names(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        names = tuple(name.strip().lower() for name in value.split(",") if name.strip())
        if any(set(name) & set("/:* ") for name in names):
            raise ValueError("must be host names without scheme and port, such as kith.example.org")
        return names

    @field_validator("dashboard_public_url")
    @classmethod
    def _check_public_url(cls, url: str | None) -> str | None:
        if url is None or PUBLIC_URL.fullmatch(url):
            return None if url is None else url.rstrip("/").lower()
        raise ValueError(
            "must be https:// and a host, such as https://kith.example.org; http:// only for "
            "127.0.0.1 and localhost"
        )

    @field_validator("dashboard_token")
    @classmethod
    def _check_dashboard_token(cls, token: SecretStr | None) -> SecretStr | None:
        if token is not None and len(token.get_secret_value()) < MIN_DASHBOARD_TOKEN_LENGTH:
            raise ValueError(f"needs {MIN_DASHBOARD_TOKEN_LENGTH} characters or more")
        return token

    @model_validator(mode="after")
    def _insert_password(self) -> Self:
        if self.database_password is not None and not self.database_url.startswith("sqlite"):
            password = self.database_password.get_secret_value()
            self.database_url = with_password(self.database_url, password)
        return self

    @field_validator("openai_base_url", "embedding_base_url", "transcription_base_url")
    @classmethod
    def _check_base_url(cls, url: str | None) -> str | None:
        if url is not None and not url.startswith(("http://", "https://")):
            raise ValueError("must begin with http:// or https://")
        return url

    @field_validator("log_level")
    @classmethod
    def _check_log_level(cls, level: str) -> str:
        if level.upper() not in LOG_LEVELS:
            raise ValueError(f"must be one of {', '.join(LOG_LEVELS)}")
        return level.upper()

    @property
    def ledger_file(self) -> Path:
        """The erasure ledger's mirror file: beside the SQLite file, unless configured."""
        if self.erasure_ledger is not None:
            return self.erasure_ledger.expanduser()
        if not self.database_url.startswith("sqlite"):
            return DEFAULT_LEDGER
        file = self.database_url.removeprefix("sqlite:///").removeprefix("file:").partition("?")[0]
        return Path(f"{file}.erasures.jsonl")

    @property
    def has_model(self) -> bool:
        """Whether a language model is configured: a key, an endpoint, or both."""
        settings = (self.openai_api_key, self.openai_base_url, self.model_endpoints)
        return any(setting is not None for setting in settings)

    @property
    def endpoint_keys(self) -> dict[str, str]:
        """The keys of the endpoints in MODEL_ENDPOINTS that have one."""
        if self.model_endpoint_keys is None:
            return {}
        text = self.model_endpoint_keys.get_secret_value()
        return parse_endpoint_keys(text, self.model_endpoints or ())

    def models_of(self, models: str) -> tuple[ModelEntry, ...]:
        """Return the models of a list such as ``chat_model``."""
        return parse_models(models, self.model_endpoints or ())

    @property
    def embedding_directory(self) -> Path | None:
        """The directory of a local embedding model (one of LOCAL_MODELS for its name), or None.

        A name such as ``BAAI/bge-m3`` means an endpoint's model, unless that directory exists.
        """
        model = self.embedding_model or ""
        path = LOCAL_MODELS.get(model, Path(model).expanduser())
        is_named = model.startswith(("/", "./", "../", "~")) or model in LOCAL_MODELS
        return path if model and (is_named or path.is_dir()) else None

    @property
    def extraction_model(self) -> str:
        """The model that extracts memories: the triage model, or else the chat model."""
        return self.triage_model or self.chat_model

    @property
    def models_by_purpose(self) -> dict[str, str | None]:
        """The first model of every purpose that tokens are counted for."""
        chat, triage = self._first(self.chat_model), self._first(self.extraction_model)
        return {
            **dict.fromkeys(("chat", "preview", "speaking", "summary"), chat),
            "extraction": triage,
            "episode": triage,
            "watch": triage,
            "verification": self._first(self.verify_model or self.extraction_model),
            "attachment": self._first(self.vision_model or self.chat_model),
            "embedding": None if self.embedding_directory else self.embedding_model,
        }

    def _first(self, models: str) -> str:
        return self.models_of(models)[0].name


def with_password(url: str, password: str) -> str:
    """Return a database URL with this password. Raises ValueError if the URL has no user."""
    match = re.match(r"([^:/]+://)([^:@/?]+)(?::[^@/?]*)?(@[^@]*)$", url)
    if match is None:
        raise ValueError("DATABASE_PASSWORD needs a user: mssql+pyodbc://user@server/database")
    scheme, user, host_and_path = match.groups()
    return f"{scheme}{user}:{quote(password, safe='')}{host_and_path}"


def secret_folders() -> list[Path]:
    """Return the existing folders that hold this process's secrets as files."""
    systemd_folder = os.environ.get(SYSTEMD_SECRETS)
    folders = [CONTAINER_SECRETS, *([Path(systemd_folder)] if systemd_folder else [])]
    return [folder for folder in folders if folder.is_dir()]


def load_settings(env_file: Path | None = ENV_FILE, **overrides: object) -> Settings:
    """Return the checked settings.

    Raises SettingsError with one sentence that names each wrong variable, never its value.

    Args:
        env_file: None reads no file.
        overrides: settings from the command line, which override all others.
    """
    if env_file is not None and env_file.is_dir():  # Docker makes one for a file that is missing
        raise SettingsError(ENV_FOLDER.format(file=env_file))
    try:
        return Settings(
            _env_file=env_file,  # type: ignore[call-arg]
            _secrets_dir=secret_folders(),
            **overrides,  # type: ignore[arg-type]
        )
    except ValidationError as error:
        faults = error.errors(include_input=False, include_url=False)
        problems = "; ".join(map(_problem, faults))
        raise SettingsError(f"Please fix these settings in .env: {problems}.") from None
    except (SourceError, OSError, UnicodeDecodeError) as error:
        raise SettingsError(_read_error(error.__cause__ or error)) from None


def env_lines(env_file: Path = ENV_FILE) -> list[EnvLine]:
    """Return the lines of .env that have no effect."""
    return ignored_lines(env_file, Settings.model_fields)


def _problem(fault: "ErrorDetails") -> str:
    """Return what is wrong with one setting, without its value."""
    name = ".".join(str(part) for part in fault["loc"]).upper()
    if fault["type"] == "value_error":
        return f"{name} {fault['msg'].removeprefix('Value error, ')}".strip()
    words = PROBLEMS.get(fault["type"], UNUSABLE).format(**fault.get("ctx", {}))
    return f"{name} {words}"


def _read_error(error: BaseException) -> str:
    if isinstance(error, OSError):
        return f"{error.filename} cannot be read ({error.strerror}); give Kith's user read access."
    return "The file .env, or that of a secret, is not UTF-8 text; save it again as UTF-8."
