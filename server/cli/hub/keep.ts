import { printable } from '#lib/text/printable.ts';
import type { HubJournal } from '../../hub/core/hub-journal.ts';
import type { Query } from '../../hub/database/database.ts';
import { listTeamDays, setTeamDays, type TeamDays } from '../../hub/jobs/jobs-state.ts';
import { EXIT, type Terminal } from '../../process/command.ts';
import { databaseOf, withDatabase, withJournal } from './hub-database.ts';

export async function keepSessions(terminal: Terminal, wish: TeamDays | undefined): Promise<number> {
	if (wish && !(await withJournal(terminal, (query, journal) => change(query, journal, wish))))
		throw new Error(
			`There is no team ${JSON.stringify(wish.team)}. \`signalbox hub edges\` lists teams with machines.`,
		);
	return withDatabase(databaseOf(terminal), async ({ query }) => {
		for (const { team, days, drop } of await listTeamDays(query)) {
			terminal.print(
				`${printable(team)}\t${days} days${drop ? '\twithout an object store older ones are deleted' : ''}`,
			);
		}
		return EXIT.done;
	});
}

async function change(query: Query, journal: HubJournal, wish: TeamDays): Promise<boolean> {
	const [found] = await query<{ id: number }>`SELECT id FROM teams WHERE name = ${wish.team}`;
	if (!found) return false;
	const { days, drop } = wish;
	const payload = { by: 'machine', days, drop };
	await journal.append(found.id, { kind: 'team:keep', subject: `team:${found.id}`, payload });
	return setTeamDays(query, wish);
}
