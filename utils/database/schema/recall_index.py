"""SQLite's index of a member's memories, with every column that recall reads.

SQL Server keeps the table in this order (IX_UserMemory_Member is clustered). SQLite keeps it in the
order of ids, where each memory of a member lies on another page.
"""

NAME = "IX_UserMemory_Recall"
COLUMNS = (
    "Id", "ChannelId", "Memory", "Topics", "Importance", "Kind", "Status", "Confidence",
    "SearchStems", "CreatedAt", "LastConfirmedAt", "ExpiresAt", "Form",
)  # fmt: skip
"""What recall reads of a memory, in the order of Memory's fields."""
STATEMENT = f'CREATE INDEX "{NAME}" ON "UserMemory" ("GuildId", "UserId", ' + (
    ", ".join(f'"{name}"' for name in COLUMNS) + ")"
)
