import { randomInt } from 'node:crypto';
import { isSameSecret } from './secret.ts';

/** A code that only the server's terminal shows: who reads it sits there, which a web page or a borrowed cookie does not. */
export interface EnrolmentCode {
	/** Prints a fresh code; an older one no longer counts. */
	show(): void;
	/** Uses the code up, right or wrong too often. */
	redeem(code: string): boolean;
}

const LIFE_MS = 10 * 60_000;
const MOST_TRIES = 5;
/** No letters that look like others. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

export function createEnrolmentCode(print: (line: string) => void, now: () => number): EnrolmentCode {
	let current: { code: string; until: number; tries: number } | null = null;
	return {
		show() {
			const code = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
			current = { code, until: now() + LIFE_MS, tries: 0 };
			const shown = `${code.slice(0, 4)}-${code.slice(4)}`;
			print(`Code for the first passkey: ${shown} (asked for in a browser; good for 10 minutes)`);
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
