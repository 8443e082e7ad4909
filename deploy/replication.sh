#!/usr/bin/env bash
# On the primary, the image of postgres runs this once. It makes the service's role and database, and lets the standby connect.
# With the argument `standby` it copies the primary's data and starts a standby that follows the primary.
set -euo pipefail

data=/var/lib/postgresql/data
password=$(cat /run/secrets/database)
if [ "${1:-}" = standby ]; then
  if [ ! -s "$data/PG_VERSION" ]; then
    PGPASSWORD=$password pg_basebackup -D "$data" -R -X stream -c fast -d "host=primary user=replication application_name=standby"
    chmod 700 "$data"
  fi
  exec postgres -D "$data"
fi
# Do not wait for a standby, because none exists yet that could confirm these writes.
export PGOPTIONS="-c synchronous_commit=local"
psql --username postgres --set ON_ERROR_STOP=1 --set password="$password" <<'SQL'
CREATE ROLE replication LOGIN REPLICATION PASSWORD :'password';
CREATE ROLE offersigner LOGIN PASSWORD :'password';
CREATE DATABASE offersigner OWNER offersigner;
SQL
echo "host replication replication all scram-sha-256" >>"$PGDATA/pg_hba.conf"
