"""SQL Server's driver, played."""

import pytest

from tests.fakes.odbc import OdbcServer
from utils.database.core import drivers


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> OdbcServer:
    made = OdbcServer()
    monkeypatch.setattr(drivers, "_import_pyodbc", made.module)
    return made
