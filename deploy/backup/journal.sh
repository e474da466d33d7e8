#!/bin/sh
# Copies the signer's journal; run by the signer's user in the folder of the release, from a timer, after database.sh has ended: a copy that is
# older than the database would let the signer sign again what was signed. Each copy has its time in its name; the newest KEEP stay.
# Usage: journal.sh FOLDER   SIGNER_JOURNAL must be set, as for the signer.
set -eu
folder="$1"
copy="$folder/journal-$(date -u +%Y%m%dT%H%M%SZ).sqlite"
umask 077
npm run --silent journal -- copy "$copy"
ls -1 "$folder"/journal-*.sqlite | sort -r | tail -n "+$((${KEEP:-90} + 1))" | xargs -r rm --
echo "$copy"
