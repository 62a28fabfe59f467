import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** `nobody`: owns nothing, and is in no group. */
export const NOBODY = 65_534;

/** Whether a process of another user can be started here: only root may. Tests that need one do not run otherwise. */
export const canBeOther = process.getuid?.() === 0;

/** A program of another user of this machine. */
export interface OtherUser {
	uid: number;
	/** The next line that it printed, as JSON. Rejects with its stderr when it ended before. */
	receivedLine(): Promise<unknown>;
	/** Gives it a line. */
	sendLine(what: unknown): void;
	/** Ends it. */
	stop(): Promise<void>;
}

/** Runs a CommonJS script, by its text, as another user; where that cannot be, as this one, which its `uid` tells. */
export function startAsOther(script: string): OtherUser {
	const who = canBeOther ? { uid: NOBODY, gid: NOBODY } : {};
	const child = spawn(process.execPath, ['-e', script], { ...who, cwd: '/', env: { NODE_ENV: 'test' }, stdio: 'pipe' });
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const ended = once(child, 'close');
	let failure = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		failure += text;
	});
	return {
		uid: who.uid ?? process.getuid?.() ?? -1,
		async receivedLine() {
			const next = await lines.next();
			if (next.done) throw new Error(`The other user's program has ended:\n${failure}`);
			return JSON.parse(next.value);
		},
		sendLine: (what) => void child.stdin.write(`${JSON.stringify(what)}\n`),
		async stop() {
			child.kill();
			await ended;
		},
	};
}
