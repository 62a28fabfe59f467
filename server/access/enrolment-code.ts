import { randomInt } from 'node:crypto';
import { AppError } from '#lib/contract/errors.ts';
import { isSameSecret } from './secret.ts';

/** A code that only the server's terminal shows: who reads it sits there, which a web page or a borrowed cookie does not. */
export interface EnrolmentCode {
	/** Shows a fresh code; an older one no longer counts. Throws `passkey/terminal` where there is no terminal to show it on. */
	show(): void;
	/** Uses the code up, right or wrong too often. */
	redeem(code: string): boolean;
}

const LIFE_MS = 10 * 60_000;
const MOST_TRIES = 5;
/** No letters that look like others. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** `print` writes a line on the server's terminal, and says whether it did. */
export function createEnrolmentCode(print: (line: string) => boolean, now: () => number): EnrolmentCode {
	let current: { code: string; until: number; tries: number } | null = null;
	return {
		show() {
			const code = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
			const shown = `${code.slice(0, 4)}-${code.slice(4)}`;
			const line = `Code for the first passkey: ${shown} (asked for in a browser; good for 10 minutes)`;
			if (!print(line)) throw new AppError('passkey/terminal');
			current = { code, until: now() + LIFE_MS, tries: 0 };
		},
		redeem(code) {
			if (!current || current.until < now()) return false;
			current.tries += 1;
			const isRight = isSameSecret(code.replaceAll(/[\s-]/g, '').toUpperCase(), current.code);
			if (isRight || current.tries >= MOST_TRIES) current = null;
			return isRight;
		},
	};
}
