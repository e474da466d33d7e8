# One of three machines of the database, as deploy/postgresql/patroni.yml describes it: Debian 12's PostgreSQL 15, Patroni, etcd, pgBackRest.
FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-15 patroni etcd-server python3-etcd python3-yaml pgbackrest ca-certificates \
  && rm -rf /var/lib/apt/lists/* && mkdir -p /var/lib/etcd && chown postgres /var/lib/etcd
COPY deploy/compose/database.sh /usr/local/bin/database
USER postgres
CMD ["bash", "/usr/local/bin/database"]
