# Starts etcd and Patroni of this machine (NODE: n1, n2 or n3), with the settings of deploy/postgresql/patroni.yml. If one of them ends, both do.
set -eu
address=$(hostname -i | cut -d' ' -f1)
sed "s/name: n1/name: $NODE/; s/10\.0\.0\.11:8008/$address:8008/g; s/10\.0\.0\.11:5432/$address:5432/g; s/hosts: .*/hosts: n1:2379,n2:2379,n3:2379/" \
  /etc/patroni/patroni.yml > /tmp/patroni.yml
password=$(cat /run/secrets/database_superuser)
replication=$(cat /run/secrets/database_replication)
sed -i "s/username: postgres, password: '…'/username: postgres, password: '$password'/; s/password: '…'/password: '$replication'/; s#10\.0\.0\.0/24#samenet#" \
  /tmp/patroni.yml
etcd --name "$NODE" --data-dir /var/lib/etcd --enable-v2 --initial-cluster-token wallet \
  --listen-client-urls "http://0.0.0.0:2379" --advertise-client-urls "http://$NODE:2379" \
  --listen-peer-urls "http://0.0.0.0:2380" --initial-advertise-peer-urls "http://$NODE:2380" \
  --initial-cluster n1=http://n1:2380,n2=http://n2:2380,n3=http://n3:2380 &
etcd_id=$!
patroni /tmp/patroni.yml &
trap 'kill "$etcd_id" $!' TERM INT
wait -n 2>/dev/null || wait $!
