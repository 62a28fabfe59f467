import { printable } from '#lib/text/printable.ts';
import { createFleetRules } from '../../hub/edges/edge-store.ts';
import { EXIT, Refusal, type Terminal, UsageError } from '../../process/command.ts';
import { databaseOf, withDatabase, withJournal } from './hub-database.ts';
import { type HubArgs, labelsOf, teamOf } from './hub-options.ts';

export async function changeRules(terminal: Terminal, { action = 'show', word: id, values }: HubArgs): Promise<number> {
	const labels = labelsOf(values);
	if (!['show', 'add', 'remove'].includes(action))
		throw new UsageError('Use `hub rule`, `hub rule add` or `hub rule remove N`.');
	if (action === 'add' && labels.length === 0)
		throw new UsageError('Give the labels of the machines: --labels K=V,K=V');
	if (action === 'remove' && !/^[1-9]\d{0,8}$/.test(id ?? ''))
		throw new UsageError('Give the number of a rule; `signalbox hub rule` lists them.');
	if (action === 'show') return showRules(terminal);
	return withJournal(terminal, async (query, journal) => {
		const rules = createFleetRules(query);
		if (action === 'remove') {
			const rule = (await rules.list()).find((one) => one.id === Number(id));
			if (!rule) throw new Refusal(`There is no rule ${id}. \`signalbox hub rule\` lists them.`);
			const payload = { by: 'machine', labels: rule.labels };
			await journal.append(rule.teamId, { kind: 'rule:remove', subject: `rule:${rule.id}`, payload });
			await rules.remove(rule.id);
			return EXIT.done;
		}
		const team = teamOf(values);
		const [found] = await query<{ id: number }>`SELECT id FROM teams WHERE name = ${team}`;
		if (found) {
			const payload = { by: 'machine', labels };
			await journal.append(found.id, { kind: 'rule:add', subject: `team:${found.id}`, payload });
		}
		const made = await rules.add(team, labels);
		if (!made)
			throw new Refusal(`There is no team ${JSON.stringify(team)}. The first code creates it: \`signalbox hub code\`.`);
		terminal.print(`Rule ${made.id} accepts machines with ${labels.join(',')} that join ${printable(team)} by a code.`);
		if (made.taken > 0) terminal.say(`${made.taken} waiting machines were accepted.`);
		return EXIT.done;
	});
}

async function showRules(terminal: Terminal): Promise<number> {
	const rules = await withDatabase(databaseOf(terminal), ({ query }) => createFleetRules(query).list());
	for (const { id, team, labels } of rules)
		terminal.print(`${id}\t${printable(team)}\t${labels.map((label) => printable(label)).join(',')}`);
	return EXIT.done;
}
