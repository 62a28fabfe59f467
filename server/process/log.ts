/** The server's log. Every part receives one; none writes to the terminal itself. */
export interface Log {
	info(message: string, fields?: LogFields): void;
	warn(message: string, fields?: LogFields): void;
	/** `error` is what was thrown; its stack is written below the line. */
	error(message: string, error?: unknown, fields?: LogFields): void;
}

export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Text of an agent must not break a line or control the terminal. */
function escapeControls(text: string): string {
	return text.replace(
		/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
		(char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

function formatFields(fields: LogFields): string {
	return Object.entries(fields)
		.filter(([, value]) => value !== undefined)
		.map(([key, value]) => ` ${key}=${typeof value === 'string' ? JSON.stringify(value) : value}`)
		.join('');
}

/** Writes one line an entry, by default to stderr: stdout belongs to the line with the login link. */
export function createLog(write: (line: string) => void = (line) => void process.stderr.write(line)): Log {
	const line = (level: string, message: string, fields: LogFields = {}, error?: unknown) => {
		const head = escapeControls(`${new Date().toISOString()} ${level} ${message}${formatFields(fields)}`);
		const stack = error instanceof Error ? (error.stack ?? error.message) : error === undefined ? '' : String(error);
		const below = stack.split('\n').filter(Boolean);
		write(`${[head, ...below.map((part) => `    ${escapeControls(part.trim())}`)].join('\n')}\n`);
	};
	return {
		info: (message, fields) => line('info', message, fields),
		warn: (message, fields) => line('warn', message, fields),
		error: (message, error, fields) => line('error', message, fields, error),
	};
}
