import { printable } from '#lib/text/printable.ts';
import type { HubJournal } from '../../hub/core/hub-journal.ts';
import type { Query } from '../../hub/database/database.ts';
import { listTeamDays, setTeamDays, type TeamDays } from '../../hub/jobs/jobs-state.ts';
import { EXIT, type Terminal } from '../../process/command.ts';
import { databaseOf, withDatabase, withJournal } from './hub-database.ts';

export async function keepSessions(terminal: Terminal, teamDays: TeamDays | undefined): Promise<number> {
	if (teamDays && !(await withJournal(terminal, (query, journal) => change(query, journal, teamDays))))
		throw new Error(
			`There is no team ${JSON.stringify(teamDays.team)}. \`signalbox hub edges\` lists teams with machines.`,
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

async function change(query: Query, journal: HubJournal, teamDays: TeamDays): Promise<boolean> {
	const [found] = await query<{ id: number }>`SELECT id FROM teams WHERE name = ${teamDays.team}`;
	if (!found) return false;
	const { days, drop } = teamDays;
	const payload = { by: 'machine', days, drop };
	await journal.append(found.id, { kind: 'team:keep', subject: `team:${found.id}`, payload });
	return setTeamDays(query, teamDays);
}
