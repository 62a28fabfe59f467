import type { Command } from '#lib/contract/hub/hub-wire.ts';
import type { Withdrawal } from '../decisions/withdraw-decision.ts';
import type { CommandStore } from '../machines/command-store.ts';

/** That somebody watches is told no more often than this. */
const LEASE_PAUSE_MS = 15_000;

/** What goes to one edge over one connection beside answers. */
export function createCommandSender(options: {
	commands: Pick<CommandStore, 'pending'>;
	/** Asked right before each is sent, on every connection anew. */
	withdraw: Withdrawal;
	edge: number;
	send: { command: (command: Command) => void; lease: (ms: number) => void };
	/** Called with what is tried again with the next look. */
	failed: (error: unknown) => void;
}) {
	const { commands, withdraw, edge, send, failed } = options;
	let sent = 0;
	let leasedAt = Number.NEGATIVE_INFINITY;
	let turn: Promise<void> = Promise.resolve();

	async function sendNew() {
		for (const command of await commands.pending(edge, sent)) {
			const isWithdrawn = await withdraw(edge, command);
			sent = command.n;
			if (!isWithdrawn) send.command(command);
		}
	}

	return {
		/** Sends what it was not sent yet, in its order. */
		look(): Promise<void> {
			turn = turn.then(sendNew).catch(failed);
			return turn;
		},
		/** For so many ms somebody watches who could decide. */
		lease(ms: number): void {
			const now = performance.now();
			if (now - leasedAt < LEASE_PAUSE_MS) return;
			leasedAt = now;
			send.lease(ms);
		},
	};
}

export type CommandSender = ReturnType<typeof createCommandSender>;
