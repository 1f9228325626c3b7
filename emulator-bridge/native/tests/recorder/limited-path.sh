#!/bin/sh
# A server in one network namespace, a client in another, a token bucket on the way from the first to the second.
# Runs inside `unshare -n`. Usage: limited-path.sh RECORDER RATE_MBIT LIMIT_BYTES client-options…
set -e
recorder=$1 rate=$2 limit=$3
shift 3
ip link set lo up
unshare -n sleep 60 &
other=$!
said=$(mktemp)
trap 'kill $other $server 2>/dev/null || true; rm -f "$said"' EXIT
while [ "$(readlink /proc/$other/ns/net)" = "$(readlink /proc/$$/ns/net)" ]; do sleep 0.01; done
ip link add near type veth peer name far netns "$other"
ip address add 10.93.4.1/24 dev near
ip link set near up
nsenter -t "$other" -n ip address add 10.93.4.2/24 dev far
nsenter -t "$other" -n ip link set far up
tc qdisc add dev near root tbf rate "${rate}mbit" burst 15kb limit "$limit"
"$recorder" server --max-seconds 20 >"$said" &
server=$!
while ! grep -q listening "$said"; do
  kill -0 $server
  sleep 0.01
done
nsenter -t "$other" -n "$recorder" client 10.93.4.1 "$@"
