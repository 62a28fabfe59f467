import { closeSync, constants, openSync, writeSync } from 'node:fs';

/** A terminal that takes nothing just now (stopped by Ctrl+S) must not stop the server. */
const WRITING = constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK;

/**
 * Writes a line on the terminal that this process was started from, wherever its output goes: what is in a file or a pipe
 * every program of the same user can read. False where there is no such terminal, or it does not take the line.
 */
export function writeOnTerminal(line: string): boolean {
	let terminal: number | undefined;
	try {
		terminal = openSync('/dev/tty', WRITING);
		writeSync(terminal, `${line}\r\n`);
		return true;
	} catch {
		return false;
	} finally {
		if (terminal !== undefined) closeSync(terminal);
	}
}
