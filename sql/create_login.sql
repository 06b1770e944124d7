-- Makes Kith's database and its login on SQL Server, with no more rights than Kith needs.
--
-- Run it as an administrator (in bash; it asks for Kith's password, then for the administrator's):
--     read -rs password
--     KITH_PASSWORD=${password//\'/\'\'} sqlcmd -S server,1433 -U sa -C -b -i sql/create_login.sql
-- -C trusts the server's certificate: leave it out where an authority signed it. The password stands
-- between apostrophes below, so each apostrophe in it is doubled.
--
-- It may be run again: then it gives the login its new password, and after a restore on another
-- server it connects the database's user to this server's login.
--
-- The login reads and writes rows of this one database (db_datareader, db_datawriter), and may
-- change its tables (db_ddladmin) because starting a new version does. Where that is a database
-- administrator's business, take the right away and give it for `bot.py migrate` only:
--     ALTER ROLE db_ddladmin DROP MEMBER kith;

IF DB_ID(N'kith') IS NULL
    CREATE DATABASE kith;
GO

-- Readers and writers never wait for each other. It needs a moment with nobody connected.
IF NOT EXISTS (SELECT * FROM sys.databases WHERE name = N'kith' AND is_read_committed_snapshot_on = 1)
    ALTER DATABASE kith SET READ_COMMITTED_SNAPSHOT ON WITH ROLLBACK IMMEDIATE;
GO

IF SUSER_ID(N'kith') IS NULL
    CREATE LOGIN kith WITH PASSWORD = N'$(KITH_PASSWORD)', DEFAULT_DATABASE = kith;
ELSE
    ALTER LOGIN kith WITH PASSWORD = N'$(KITH_PASSWORD)';
GO

USE kith;
GO

IF USER_ID(N'kith') IS NULL
    CREATE USER kith FOR LOGIN kith;
ELSE
    ALTER USER kith WITH LOGIN = kith;
ALTER ROLE db_datareader ADD MEMBER kith;
ALTER ROLE db_datawriter ADD MEMBER kith;
ALTER ROLE db_ddladmin ADD MEMBER kith;
GO
