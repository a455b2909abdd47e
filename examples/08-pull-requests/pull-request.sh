#!/usr/bin/env bash
# The steps of the workflow. If one is killed, the next run of it recovers.
#
#   pull-request.sh up NUMBER     deploy it as the stack pr-NUMBER; prints the address
#   pull-request.sh down NUMBER   delete what the stack deployed, and the stack
#   pull-request.sh sweep         the same for all whose pull request is closed
#
# Needs pulumi and node; sweep also needs gh and the variable GITHUB_REPOSITORY.
set -euo pipefail

# Stacks that one sweep removes; the others wait for the next.
most=${SWEEP_MOST:-20}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

tell() { printf '%s\n' "$*" >&2; }

# json EXPRESSION [ARGUMENT]: evaluates JavaScript on the JSON from standard input (`it`)
json() { node -p "const it = JSON.parse(fs.readFileSync(0, 'utf8')); $1" "${@:2}"; }

# Makes the stack unless it is there, and frees it of a run that was killed: the workflow never runs two of a pull
# request at once. Where there is nothing to free, `cancel` fails, which it says.
take() {
  pulumi stack select "$1" --create >&2
  pulumi cancel "$1" --yes >&2 || tell "$1: nothing was cancelled"
}

up() {
  local stack="pr-$1"
  take "$stack"
  # Reads what was changed by hand, and clears the engine's note of a creation that was killed: `adopt` finds it.
  pulumi refresh --stack "$stack" --yes --skip-preview --clear-pending-creates >&2
  pulumi up --stack "$stack" --yes --skip-preview >&2
  pulumi stack output --stack "$stack" --json | json 'it.url ?? ""'
}

down() {
  local stack="pr-$1" left
  take "$stack"
  pulumi destroy --stack "$stack" --yes --skip-preview >&2
  left=$(left_behind "$stack")
  if [ -n "$left" ]; then
    tell "$stack: a killed run left $left, which the stack takes in and deletes"
    printf 'version: 1\ndefaults: { deleteTracingProject: true }\ndeployments: {}\n' > "$scratch/left.yaml"
    npx pulumi-deployment-service import --ids "$left" --out "$scratch/import.json" --manifest "$scratch/left.yaml" >&2
    pulumi import --stack "$stack" --file "$scratch/import.json" --generate-code=false --protect=false --yes --skip-preview >&2
    pulumi destroy --stack "$stack" --yes --skip-preview >&2
  fi
  pulumi stack rm "$stack" --yes >&2
}

# Ids of deployments that carry the stack's name and are not in its state, which is empty by now.
left_behind() {
  npx pulumi-deployment-service list --name-contains="-$1" --json | json '
    it.filter(({ name }) => name.endsWith("-" + process.argv[1])).map(({ id }) => id).join()' "$1"
}

sweep() {
  local numbers number state removed=0 outcome=0
  numbers=$(pulumi stack ls --json | json 'it.flatMap(({ name }) => /(?:^|\/)pr-(\d+)$/.exec(name)?.[1] ?? []).join("\n")')
  for number in $numbers; do
    if ! state=$(gh api "repos/$GITHUB_REPOSITORY/pulls/$number" | json it.state); then
      echo "pr-$number: stays, for its pull request could not be read"
      outcome=1
    elif [ "$state" = open ]; then
      echo "pr-$number: stays, its pull request is open"
    elif [ "$removed" -ge "$most" ]; then
      echo "pr-$number: stays until the next sweep"
    else
      removed=$((removed + 1))
      # A process of its own, so that it ends at its first error and ends nothing else.
      if bash "$0" down "$number"; then
        echo "pr-$number: removed, its pull request is closed"
      else
        echo "pr-$number: could not be removed"
        outcome=1
      fi
    fi
  done
  return "$outcome"
}

usage() {
  sed -n 's/^#   //p' "$0" >&2
  exit 2
}

case "${1-}" in
  up | down)
    [[ "${2-}" =~ ^[0-9]+$ ]] || usage
    "$1" "$2"
    ;;
  sweep) sweep ;;
  *) usage ;;
esac
