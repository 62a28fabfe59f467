import { DecisionCommand } from '#lib/contract/hub/hub-decision.ts';
import type { CommandStore } from '../machines/command-store.ts';

/** What people have decided at the hub, that the machines may still do and have not answered; the first about a ticket first. */
export function createDecisionsUnderWay(options: {
	commands: Pick<CommandStore, 'open' | 'unanswered'>;
	/** Milliseconds since the epoch. */
	now: () => number;
}) {
	const { commands, now } = options;

	async function read(place: Parameters<CommandStore['unanswered']>[1]): Promise<DecisionCommand[]> {
		const waiting = await commands.unanswered('decision', place);
		return waiting
			.flatMap(({ edge, ...command }) => DecisionCommand.safeParse(commands.open(edge, command)).data ?? [])
			.filter(({ expires }) => expires > now());
	}

	return {
		/** Which one reaches the machine first, and so counts; undefined where there is none. */
		async about({ edge, record }: { edge: number; record: { id: string } }): Promise<DecisionCommand | undefined> {
			return (await read({ edge })).find(({ ticket }) => ticket === record.id);
		},
		/** Of these teams, or of all. */
		async inTeams(teams: readonly number[] | null): Promise<DecisionCommand[]> {
			const found = await read({ teams });
			return found.filter(({ ticket }, at) => found.findIndex((other) => other.ticket === ticket) === at);
		},
	};
}
