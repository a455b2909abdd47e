#!/bin/sh
# Sets the secrets of a stack from the agent's variables. This file contains no value.
#   sh set-secrets.sh [STACK [FILE]]
set -eu
exec node - "$(dirname "$0")" "$@" <<'EOF'
const agent = {
  file: {{file}},
  isGraphConfig: {{isGraphConfig}},
  /** The configuration key of each secret. */
  keys: [{{keys}}
  ],
  /** Variables that are not declared on purpose. */
  others: {{others}},
};

const parseEnvironment = {{parseEnvironment}};

{{script}}
EOF
