import type { ErrorCode } from '#lib/contract/errors.ts';
import type { CommandRefusal } from '#lib/contract/hub/hub-commands.ts';
import type { Command, CommandResult } from '#lib/contract/hub/hub-wire.ts';
import { openCommand } from '../hub-protocol/signatures.ts';
import type { Log } from '../process/log.ts';
import { LruMap } from '../process/lru-map.ts';

export type CommandOutcome = Omit<CommandResult, 'n'>;

export type CommandHandler = (body: unknown, n: number) => Promise<CommandOutcome>;

/** The hub sends a command again if its result was lost with the connection. */
const REMEMBERED = 1000;

interface CommandRunnerOptions {
	edge: number;
	origin: string;
	key: string | undefined;
	handlers: Readonly<Record<string, CommandHandler>>;
	log: Log;
}

/** An unknown kind, or a command that the hub did not sign for this edge, is refused. */
export function createCommandRunner({ edge, origin, key, handlers, log }: CommandRunnerOptions) {
	const results = new LruMap<number, { envelope: string; result: CommandResult }>(REMEMBERED);
	let queue: Promise<unknown> = Promise.resolve();

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
		runOnce(command: Command): Promise<CommandResult> {
			const answered = queue.then(() => answer(command));
			queue = answered;
			return answered;
		},
	};
}

export type CommandRunner = ReturnType<typeof createCommandRunner>;

export const refusal = (why: CommandRefusal | ErrorCode): CommandOutcome => ({ state: 'refused', why, journal: 0 });
