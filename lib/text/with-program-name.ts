const OURS = /(?<![\w./@-])signalbox (hub )?(?=--?[a-z]|[a-z]{2}|[A-Z]{3})/g;

/** `signalbox` is on PATH only if the package was linked; `program` runs it here, e.g. `node dist/signalbox.js`. */
export function withProgramName(message: string, program: string): string {
	return message.replace(OURS, (_, hub = '') => `${program} ${program.endsWith(' hub') ? '' : hub}`);
}
