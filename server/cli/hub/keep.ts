import { printable } from '#lib/text/printable.ts';
import { listTeamDays, setTeamDays, type TeamDays } from '../../hub/jobs/team-days.ts';
import { EXIT, type Terminal } from '../command.ts';
import { databaseOf, withDatabase } from './hub-database.ts';

/** Says how long each team's sessions stay in the database; with `wish`, changes it for one team first. */
export function keepSessions(terminal: Terminal, wish: TeamDays | undefined): Promise<number> {
	return withDatabase(databaseOf(terminal), async ({ ask }) => {
		if (wish && !(await setTeamDays(ask, wish))) {
			terminal.say(`There is no team ${JSON.stringify(wish.team)}. \`signalbox hub edges\` lists teams with machines.`);
			return EXIT.failed;
		}
		for (const { team, days, drop } of await listTeamDays(ask)) {
			terminal.print(
				`${printable(team)}\t${days} days${drop ? '\twithout an object store older ones go for good' : ''}`,
			);
		}
		return EXIT.done;
	});
}
