#!/bin/sh
# paceline bisect, as it was called before it was a command (docs/ci.md):
#   examples/ci/bisect.sh GOOD BAD EXPECTATIONS.json [FILE ...]
# PACELINE_BISECT_BUILD is its --build, PACELINE_BISECT_WITH its --judge; each FILE is laid over every revision.
set -eu
if [ $# -lt 3 ]; then
  echo "usage: $0 GOOD BAD EXPECTATIONS.json [FILE ...]" >&2
  exit 2
fi
good=$1 bad=$2 expectations=$3
shift 3
for file; do
  shift
  set -- "$@" "--over=$file"
done
exec node "$(dirname "$0")/../../bin/paceline.mjs" bisect "$good" "$bad" "$expectations" "$@" \
  ${PACELINE_BISECT_BUILD+"--build=$PACELINE_BISECT_BUILD"} ${PACELINE_BISECT_WITH+"--judge=$PACELINE_BISECT_WITH"}
