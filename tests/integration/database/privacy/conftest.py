"""What the tests of tombstones, the ledger and expiry times share."""

from tests.integration.database.erasure.conftest import one_id_a_statement as one_id_a_statement
