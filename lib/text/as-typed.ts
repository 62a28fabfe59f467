/** A command of ours in a message: not a part of a path, and followed by what it is asked for. */
const OURS = /(?<![\w./@-])signalbox (hub )?(?=--?[a-z]|[a-z]{2}|[A-Z]{3})/g;

/**
 * A message with our command as this person types it: messages are written with `signalbox`, which is on PATH only where
 * the package was linked. `program` is what runs it here, e.g. `node dist/signalbox.js`; a hub's own says `hub` already.
 */
export function asTyped(message: string, program: string): string {
	return message.replace(OURS, (_, hub = '') => `${program} ${program.endsWith(' hub') ? '' : hub}`);
}
