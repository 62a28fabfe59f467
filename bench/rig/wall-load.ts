import { bashCall, bashResult } from './bash-call.ts';

/** The sessions of a wall. */
export const WALL_SESSIONS = 30;

/** The `n`th hook input of a wall: each session in turn, a call and then its result. `run` keeps calls of two loads apart. */
export function wallInput(n: number, run: string): string {
	const nth = Math.floor(n / WALL_SESSIONS);
	const call = Math.floor(nth / 2);
	const body = nth % 2 === 0 ? bashCall : bashResult;
	return body(`wall-${n % WALL_SESSIONS}`, `toolu_${run}_${call}`, `echo ${call}`);
}

/** What makes the sessions known. */
export const wallBeginnings = (): string[] =>
	Array.from({ length: WALL_SESSIONS }, (_, n) => bashCall(`wall-${n}`, 'toolu_first'));
