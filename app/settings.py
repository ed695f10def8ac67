"""Settings: the only code that reads the environment or a configuration file.

Precedence: flag > environment (``FLORILEGIUM_…``) > secrets folder > config file > default.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs
from pydantic import Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from app.errors import ConfigError, UsageError
from pipelines.readers.types import Limits

CONFIG_VARIABLE = "FLORILEGIUM_CONFIG"
SECRETS_VARIABLE = "FLORILEGIUM_SECRETS_DIR"
_LIMITS = Limits()


def default_home() -> Path:
    """Return the platform's user data folder for Florilegium."""
    return Path(platformdirs.user_data_dir("florilegium", appauthor=False))


def config_path() -> Path:
    """Return the configuration file in force (it need not exist)."""
    named = os.environ.get(CONFIG_VARIABLE)
    if named:
        return Path(named).expanduser()
    return Path(platformdirs.user_config_dir("florilegium", appauthor=False)) / "config.toml"


class Settings(BaseSettings):
    """Every setting, with its default and meaning."""

    model_config = SettingsConfigDict(
        env_prefix="FLORILEGIUM_", extra="forbid", env_ignore_empty=True
    )

    home: Path = Field(default_factory=default_home, description="workspace folder")
    database_url: str = Field(
        default="",
        description="SQLAlchemy URL; empty means florilegium.sqlite inside the workspace",
    )
    threads: int = Field(
        default=0, ge=0, le=256, description="threads of the encoder; 0 = all cores"
    )
    batch_documents: int = Field(
        default=256, ge=1, le=10_000, description="documents a batch (one transaction)"
    )
    batch_characters: int = Field(
        default=400_000, ge=1_000, description="characters a batch, whichever limit comes first"
    )
    max_attempts: int = Field(
        default=3, ge=1, le=100, description="attempts before a document is parked"
    )
    lease_seconds: int = Field(
        default=120, ge=5, le=86_400, description="how long a job or collection lease lasts"
    )
    sparql_timeout: float = Field(
        default=20.0, gt=0, le=3600, description="seconds a query may take"
    )
    sparql_workers: int = Field(
        default=2, ge=1, le=32, description="warm processes that answer queries of the endpoint"
    )
    sparql_host: str = Field(
        default="127.0.0.1",
        min_length=1,
        description="address the endpoint listens on; any but loopback needs a token file",
    )
    sparql_token_file: Path | None = Field(
        default=None, description="file of tokens, one a line, that the endpoint asks for"
    )
    sparql_access_log: Path | None = Field(
        default=None, description="file that gets a JSON line for each request to the endpoint"
    )
    port: int = Field(default=8501, ge=1, le=65_534, description="dashboard port; endpoint is +1")
    max_upload_mb: int = Field(default=100, ge=1, le=2000, description="largest upload in MB")
    ocr: bool = Field(
        default=False, description="read pictures and scans with tesseract, where it is installed"
    )
    read_seconds: float = Field(
        default=_LIMITS.seconds,
        gt=0,
        le=86_400,
        description="seconds without a sign of life before the reading of a file is given up",
    )
    read_memory_mb: int = Field(
        default=_LIMITS.memory_mb, ge=256, description="memory in MB that reading one file may take"
    )
    unpacked_mb: int = Field(
        default=_LIMITS.unpacked_mb,
        ge=1,
        description="MB that an archive or office file unpacks to",
    )
    unpacked_ratio: int = Field(
        default=_LIMITS.ratio, ge=2, description="times its size that a packed file unpacks to"
    )
    archive_members: int = Field(
        default=_LIMITS.members, ge=1, description="files inside one archive or mailbox"
    )
    archive_depth: int = Field(
        default=_LIMITS.depth, ge=0, le=20, description="files inside files inside files"
    )
    table_columns: int = Field(
        default=_LIMITS.columns, ge=1, le=100_000, description="columns of a table"
    )
    sheet_cells: int = Field(
        default=_LIMITS.cells, ge=1, description="cells of a sheet, the blank ones between counted"
    )
    field_mb: int = Field(
        default=_LIMITS.field_mb, ge=1, le=2_000, description="MB of one cell or record"
    )

    reviewer: str = Field(
        default="", description="name that review decisions carry; empty means the user's"
    )

    @property
    def person(self) -> str:
        """Who decides: the setting, else the name of the user, else the empty string."""
        return self.reviewer or os.environ.get("USER", "") or os.environ.get("USERNAME", "")

    @property
    def limits(self) -> Limits:
        """What reading one file may cost."""
        return Limits(
            seconds=self.read_seconds,
            memory_mb=self.read_memory_mb,
            unpacked_mb=self.unpacked_mb,
            ratio=self.unpacked_ratio,
            members=self.archive_members,
            depth=self.archive_depth,
            columns=self.table_columns,
            cells=self.sheet_cells,
            field_mb=self.field_mb,
        )

    @property
    def db_url(self) -> str:
        """The database URL in force."""
        return self.database_url or f"sqlite:///{self.home / 'florilegium.sqlite'}"

    @property
    def graph_dir(self) -> Path:
        """Folder of the graph stores and their pointer."""
        return self.home / "graph"

    @property
    def uploads_dir(self) -> Path:
        """Folder that uploaded files are kept in."""
        return self.home / "uploads"

    @property
    def labels_dir(self) -> Path:
        """Folder of the label sets that were trained here."""
        return self.home / "labels"

    @property
    def ontologies_dir(self) -> Path:
        """Folder that added ontology files are copied to."""
        return self.home / "ontologies"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Order the sources; no ``.env`` file is read."""
        return tuple(source for _, source in _sources(settings_cls, init_settings))


@dataclass(frozen=True, slots=True)
class SettingOrigin:
    """A setting's value and where it came from."""

    name: str
    value: str
    origin: str
    description: str


def _sources(
    cls: type[BaseSettings], init: PydanticBaseSettingsSource
) -> list[tuple[str, PydanticBaseSettingsSource]]:
    sources: list[tuple[str, PydanticBaseSettingsSource]] = [
        ("flag", init),
        ("environment", EnvSettingsSource(cls)),
    ]
    secrets = os.environ.get(SECRETS_VARIABLE)
    if secrets:
        if not Path(secrets).is_dir():
            raise ConfigError(
                f"{SECRETS_VARIABLE} is {secrets!r}, which is not a folder. "
                "Point it at the folder that holds one file a setting, or unset it."
            )
        sources.append(("secrets folder", SecretsSettingsSource(cls, secrets_dir=secrets)))
    path = config_path()
    named = bool(os.environ.get(CONFIG_VARIABLE))
    try:
        if path.is_file():
            values = TomlConfigSettingsSource(cls, toml_file=path)
            sources.append((f"config file {path}", values))
        elif named:
            raise ConfigError(f"{CONFIG_VARIABLE} names {path}, which is no file.")
    except ValueError as error:
        raise ConfigError(f"The configuration file {path} is not valid TOML: {error}.") from error
    except OSError as error:
        # Started as somebody else with the old HOME (sudo, a service): its folder is closed to us.
        if named or os.access(path.parent, os.X_OK):
            raise ConfigError(
                f"The configuration file {path} cannot be read: {error.strerror}. "
                f"Make it readable, or name another with {CONFIG_VARIABLE}."
            ) from error
    return sources


def load_settings(**flags: Any) -> Settings:
    """Compose the settings from flags (``None`` = not given), environment and files.

    Raises ConfigError with all problems at once.
    """
    given = {key: value for key, value in flags.items() if value is not None}
    if given.get("home") == "":
        raise UsageError("--home is empty; expected a folder. Leave it out for the default one.")
    try:
        settings = Settings(**given)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, item['loc']))} = {item.get('input')!r}: {item['msg']}"
            for item in error.errors()
        )
        raise ConfigError(
            f"The settings are not valid: {problems}. Known settings: "
            f"{', '.join(Settings.model_fields)}. Look at them with: florilegium config show"
        ) from error
    if not str(settings.home).isprintable():
        raise ConfigError(
            f"The workspace folder {str(settings.home)!r} has characters that are not UTF-8 text. "
            "Name another with --home DIR."
        )
    return settings.model_copy(update={"home": settings.home.expanduser().resolve()})


def origins(**flags: Any) -> list[SettingOrigin]:
    """Return each setting's value and the source that gave it."""
    settings = load_settings(**flags)
    given = {key: value for key, value in flags.items() if value is not None}
    found = [
        (name, source()) for name, source in _sources(Settings, InitSettingsSource(Settings, given))
    ]
    rows = []
    for key, info in Settings.model_fields.items():
        origin = next((name for name, values in found if key in values), "default")
        chosen = getattr(settings, key)
        value = "" if chosen is None else str(chosen)
        if key == "database_url":
            value = _without_password(settings.db_url)
        rows.append(SettingOrigin(key, value, origin, info.description or ""))
    return rows


def _without_password(url: str) -> str:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return url
