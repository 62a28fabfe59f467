import { AppError, type ErrorCode, errors } from '#lib/contract/errors.ts';
import type { HubDecider } from '#lib/contract/hub/hub-decision.ts';
import type { CommandResult } from '#lib/contract/hub/hub-wire.ts';
import type { Ask } from '../database/database.ts';
import type { Hints } from '../hints/hints.ts';
import type { CommandStore } from '../machines/command-store.ts';

/** How long a person waits for the machine's answer, in ms: less than a page waits for any. */
const PATIENCE_MS = 20_000;
/** How often the database is asked beside the hints for that answer, in ms. */
const LOOK_MS = 1000;

/** Waits for what machines answer to commands: resolves with null when nothing has come in time. */
export function createAnswerWait(commands: Pick<CommandStore, 'result'>, hints: Pick<Hints, 'hear'>) {
	return async (edge: number, team: number, n: number): Promise<CommandResult | null> => {
		const until = performance.now() + PATIENCE_MS;
		let look = (): void => undefined;
		const stopHearing = hints.hear(`tickets:${team}`, () => look());
		try {
			for (;;) {
				const woken = new Promise<void>((resolve) => {
					look = resolve;
					setTimeout(resolve, LOOK_MS).unref();
				});
				const result = await commands.result(edge, n);
				if (result || performance.now() > until) return result;
				await woken;
			}
		} finally {
			stopHearing();
		}
	};
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code);

/** A machine's refusal in the words of its own service, where it has some. */
export function refusalOf({ why = '', detail, denials }: CommandResult): AppError {
	if (isErrorCode(why)) return new AppError(why, detail, denials && { denials });
	if (why === 'decision/watch-only') return new AppError('hub/watch-only');
	if (why === 'decision/expired') return new AppError('approval/late');
	return new AppError('hub/refused', `The machine has refused it (${why}). Nothing was decided.`);
}

/** Finds who a person is who decides; undefined where there is nobody of that number, or not any more. */
export const findDecider =
	(ask: Ask) =>
	async (person: number): Promise<(HubDecider & { id: number }) | undefined> => {
		const [found] = await ask<HubDecider & { id: number }>(
			'SELECT id, iss, sub, name FROM people WHERE id = $1 AND disabled_at IS NULL',
			[person],
		);
		return found;
	};
