#!/bin/sh
# Signalbox: runs the shell that calls this once more, in the sandbox and without this call. `enter-sandbox.cjs` beside it
# says how; the shell that called ends with the same exit code.
# Usage, written by the hook alone: enter-sandbox.sh PROJECT; exit; LINE
if ! words=$(NODE_OPTIONS='' node "${0%/*}/enter-sandbox.cjs" "$PPID" "${1:-}") || [ -z "$words" ]; then
	echo 'Signalbox: the command did not run: it could not be put into the sandbox (commands.enforce is "sandbox").' >&2
	exit 126
fi
eval "exec $words"
