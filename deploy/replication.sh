#!/usr/bin/env bash
# On the primary, run once by the image of postgres: lets the standby in. With the argument standby: copies the primary, and follows it.
set -euo pipefail

data=/var/lib/postgresql/data
if [ "${1:-}" != standby ]; then
  echo "host replication offersigner all scram-sha-256" >>"$PGDATA/pg_hba.conf"
  exit 0
fi
if [ ! -s "$data/PG_VERSION" ]; then
  PGPASSWORD=$(cat /run/secrets/database) pg_basebackup -D "$data" -R -X stream -c fast \
    -d "host=primary user=offersigner application_name=standby"
  chmod 700 "$data"
fi
exec postgres -D "$data"
