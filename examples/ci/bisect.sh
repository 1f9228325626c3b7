#!/bin/sh
# Finds the revision that broke an expectation: git bisect in a worktree beside this checkout, which stays as it is (docs/ci.md).
#   examples/ci/bisect.sh GOOD BAD EXPECTATIONS.json [FILE ...]
# At each revision EXPECTATIONS.json and the FILEs (its baseline, say) are laid over it as they are now; all else is of the revision:
# engine, own algorithms, traces. Those that cannot be built or judged are skipped.
#   PACELINE_BISECT_BUILD   what builds a revision (default: Paceline's own setup; empty: nothing is to be built)
#   PACELINE_BISECT_WITH    what judges it (default: the Paceline of the revision itself)
set -eu
if [ $# -lt 3 ]; then
  echo "usage: $0 GOOD BAD EXPECTATIONS.json [FILE ...]" >&2
  exit 2
fi
top=$(git rev-parse --show-toplevel)
good=$(git rev-parse --verify "$1^{commit}")
bad=$(git rev-parse --verify "$2^{commit}")
shift 2
tree=$(mktemp -d "${TMPDIR:-/tmp}/paceline-bisect-XXXXXX")
tidy() {
  cd "$top"
  git worktree remove --force "$tree/at" 2>/dev/null || true
  git worktree prune
  rm -rf "$tree"
}
trap tidy EXIT
trap 'exit 130' HUP INT TERM

mkdir "$tree/over"
for file; do
  path=$(realpath --relative-to="$top" "$file")
  case $path in
    ../*)
      echo "$file lies outside of the repository" >&2
      exit 2
      ;;
  esac
  mkdir -p "$tree/over/$(dirname "$path")"
  cp "$file" "$tree/over/$path"
done
PACELINE_BISECT_OVER=$tree/over
PACELINE_BISECT_FILE=$(realpath --relative-to="$top" "$1")
: "${PACELINE_BISECT_BUILD=node scripts/setup.mjs --only packages,npm,addon,native,wasm,server,traces}"
: "${PACELINE_BISECT_WITH=node bin/paceline.mjs}"
export PACELINE_BISECT_OVER PACELINE_BISECT_FILE PACELINE_BISECT_BUILD PACELINE_BISECT_WITH

cat >"$tree/judge" <<'JUDGE'
#!/bin/sh
# As git bisect run calls it: 0 good, 1 bad, 125 neither can be said, from 128 on it ends.
sh -c "$PACELINE_BISECT_BUILD" >&2 || exit 125
# What cannot even say how it is called would say 1, or 2, for everything.
sh -c "$PACELINE_BISECT_WITH assert --help" >/dev/null 2>&1 || exit 125
cp -R "$PACELINE_BISECT_OVER/." .
code=0
sh -c "$PACELINE_BISECT_WITH assert --bisect \"\$1\"" judge "$PACELINE_BISECT_FILE" || code=$?
# The next revision finds what it has itself.
git reset --quiet --hard
(cd "$PACELINE_BISECT_OVER" && find . -type f -print0) | xargs -0 git clean --quiet --force --
exit "$code"
JUDGE
chmod +x "$tree/judge"
git -C "$top" worktree add --quiet --detach "$tree/at" "$bad"
cd "$tree/at"
git bisect start "$bad" "$good"
git bisect run "$tree/judge"
