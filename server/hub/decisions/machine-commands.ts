import { AppError, type ErrorCode, errors } from '#lib/contract/errors.ts';
import type { DecisionCommand, GrantCommand, HubDecider } from '#lib/contract/hub/hub-commands.ts';
import type { CommandResult } from '#lib/contract/hub/hub-wire.ts';
import { first } from '../database/database.ts';
import type { CommandStore } from '../machines/command-store.ts';
import type { HubCore, HubJournal } from '../timelines/hub-journal.ts';
import type { GrantStore } from './grant-store.ts';
import type { TicketStore } from './ticket-store.ts';

const PATIENCE_MS = 20_000;
const LOOK_MS = 1000;

/** What decisions and grants of people at the hub work with. */
export interface DecisionParts {
	tickets: TicketStore;
	grantStore: GrantStore;
	commands: CommandStore;
	machines: MachineCommands;
}

interface Addressee {
	edge: number;
	team: number;
}

/** Sends commands for people at the hub: written to the team's journal first, and done only when the machine has answered. */
export function createMachineCommands({ ask, journal, hints }: HubCore, commands: CommandStore) {
	return {
		whoIs: (person: number): Promise<HubDecider | undefined> =>
			first(ask<HubDecider>`SELECT iss, sub, name FROM people WHERE id = ${person}
				AND disabled_at IS NULL`),
		async send(
			{ edge, team }: Addressee,
			kind: 'decision' | 'grant',
			row: Parameters<HubJournal['append']>[1],
			bodyOf: (journal: DecisionCommand['journal']) => DecisionCommand | GrantCommand,
		): Promise<number> {
			const { n, hash } = await journal.append(team, row);
			const number = await commands.append(edge, kind, bodyOf({ team, n, hash }));
			hints.send(`edge:${edge}`);
			return number;
		},
		async answer({ edge, team }: Addressee, n: number): Promise<CommandResult | null> {
			const until = performance.now() + PATIENCE_MS;
			let check = (): void => undefined;
			const stopHearing = hints.listen(`tickets:${team}`, () => check());
			try {
				for (;;) {
					const woken = new Promise<void>((resolve) => {
						check = resolve;
						setTimeout(resolve, LOOK_MS).unref();
					});
					const result = await commands.result(edge, n);
					if (result || performance.now() > until) return result;
					await woken;
				}
			} finally {
				stopHearing();
			}
		},
	};
}

export type MachineCommands = ReturnType<typeof createMachineCommands>;

export function demandDone(result: CommandResult | null): void {
	if (!result) throw new AppError('hub/no-answer');
	if (result.state === 'refused') throw refusalOf(result);
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code);

function refusalOf({ why = '', detail, denials }: CommandResult): AppError {
	if (isErrorCode(why)) return new AppError(why, detail, denials && { denials });
	if (why === 'decision/watch-only') return new AppError('hub/watch-only');
	if (why === 'decision/expired') return new AppError('approval/late');
	return new AppError('hub/refused', `The machine has refused it (${why}). Nothing was decided.`);
}
