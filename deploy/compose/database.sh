#!/bin/bash
# Starts etcd and Patroni of this machine (NODE: n1, n2 or n3), with the settings of deploy/postgresql/patroni.yml. If one of them ends, both do.
set -eu
address=$(hostname -i | cut -d' ' -f1)
# Read by Python, so that no character of a password means anything.
python3 - "$NODE" "$address" <<'END'
import sys, yaml
node, address = sys.argv[1:]
secret = lambda name: open('/run/secrets/' + name).read().strip()
settings = yaml.safe_load(open('/etc/patroni/patroni.yml'))
settings['name'] = node
for part, port in (('restapi', 8008), ('postgresql', 5432)):
    settings[part]['listen'] = settings[part]['connect_address'] = '%s:%d' % (address, port)
settings['etcd']['hosts'] = 'n1:2379,n2:2379,n3:2379'
for user, one in settings['postgresql']['authentication'].items():
    one['password'] = secret('database_superuser' if user == 'superuser' else 'database_replication')
settings['postgresql']['pg_hba'] = [line.replace('10.0.0.0/24', 'samenet') for line in settings['postgresql']['pg_hba']]
yaml.safe_dump(settings, open('/tmp/patroni.yml', 'w'))
END
etcd --name "$NODE" --data-dir /var/lib/etcd --enable-v2 --initial-cluster-token wallet \
  --listen-client-urls "http://0.0.0.0:2379" --advertise-client-urls "http://$NODE:2379" \
  --listen-peer-urls "http://0.0.0.0:2380" --initial-advertise-peer-urls "http://$NODE:2380" \
  --initial-cluster n1=http://n1:2380,n2=http://n2:2380,n3=http://n3:2380 &
etcd_id=$!
patroni /tmp/patroni.yml &
patroni_id=$!
# Patroni ends PostgreSQL first, and etcd keeps its key until then.
end() { kill "$patroni_id" 2>/dev/null || true; wait "$patroni_id" 2>/dev/null || true; kill "$etcd_id" 2>/dev/null || true; wait; exit 0; }
trap end TERM INT
wait -n || true
end
