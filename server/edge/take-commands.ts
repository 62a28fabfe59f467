import type { ErrorCode } from '#lib/contract/errors.ts';
import type { CommandRefusal } from '#lib/contract/hub/hub-refusal.ts';
import type { Command, CommandResult } from '#lib/contract/hub/hub-wire.ts';
import type { Log } from '../process/log.ts';
import { LruMap } from '../process/lru-map.ts';
import { openCommand } from './command-envelope.ts';

/** What became of one command. */
export type CommandOutcome = Omit<CommandResult, 'n'>;

/** Does what commands of one kind ask for, or refuses it. `body` is proven to be the hub's and nothing else; `n` is its number. */
export type CommandHandler = (body: unknown, n: number) => Promise<CommandOutcome>;

/** Results are remembered for commands that come again after a connection broke off before the hub heard them. */
const REMEMBERED = 1000;

/** Takes the commands of one hub, one after the other, whichever connection they come by. */
export interface CommandTaker {
	take(command: Command): Promise<CommandResult>;
}

export interface CommandTakerOptions {
	edge: number;
	/** Of the hub, and its public key from the root document of the join code; without one nothing is done for it. */
	origin: string;
	key: string | undefined;
	handlers: Readonly<Record<string, CommandHandler>>;
	log: Log;
}

/** Each kind has its handler; what has none, or is not signed by the hub for this edge, is refused. */
export function createCommandTaker({ edge, origin, key, handlers, log }: CommandTakerOptions): CommandTaker {
	const results = new LruMap<number, { envelope: string; result: CommandResult }>(REMEMBERED);
	let turn: Promise<unknown> = Promise.resolve();

	async function handle({ n, kind, envelope }: Command): Promise<CommandOutcome> {
		const handler = Object.hasOwn(handlers, kind) ? handlers[kind] : undefined;
		if (!handler) return refusal('command/unknown');
		const body = key === undefined ? undefined : openCommand({ origin, edge, kind }, envelope, key);
		return body === undefined ? refusal('command/signature') : handler(body, n);
	}

	async function answer(command: Command): Promise<CommandResult> {
		const { n, kind, envelope } = command;
		const known = results.get(n);
		if (known?.envelope === envelope) return known.result;
		const outcome = await handle(command).catch((error: unknown) => {
			log.error('edge: a command of the hub could not be done', error, { n, kind });
			return refusal('command/failed');
		});
		const result = { n, ...outcome };
		if (result.state === 'refused') log.warn(`edge: a command of the hub was refused: ${result.why}`, { n, kind });
		results.set(n, { envelope, result });
		return result;
	}

	return {
		take(command) {
			const answered = turn.then(() => answer(command));
			turn = answered;
			return answered;
		},
	};
}

/** The answer to a command that is not done. */
export const refusal = (why: CommandRefusal | ErrorCode): CommandOutcome => ({ state: 'refused', why, journal: 0 });
