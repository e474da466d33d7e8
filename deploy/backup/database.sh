#!/bin/sh
# Backs the database up with pgBackRest; run by the user of PostgreSQL, from a timer. A full backup a week, a differential one otherwise. The WAL is
# archived all the time by PostgreSQL's own archive_command (docs/operations.md, "Backing up"), so a restore reaches any moment.
# Usage: database.sh [full|diff|incr]   STANZA and PGBACKREST_CONFIG may be set.
set -eu
exec pgbackrest --stanza="${STANZA:-wallet}" --type="${1:-diff}" backup
