import type { GateRow } from '#lib/gates/gate.ts';
import { basisWords, hookWords, settingPaths } from '#lib/gates/gate-hooks.ts';
import { gateTable } from '#lib/gates/gate-table.ts';
import { gateTitle, profileWords } from '#lib/gates/gate-title.ts';
import { gateFiles } from '#server/journal/incidents/gate-files.ts';

const INTRO = `# Gates

<!-- Generated from lib/gates/gate-table.ts; change it there, then run: npx vitest run scripts/gates-doc.test.ts --update -->

A gate judges one kind of call. It says deny, ask or pass, with the rule that decided and a reason. \`gates.NAME.enabled\` switches it
on or off, in \`~/.overtone/config.json\` or in the project's \`.overtone/config.json\`. If its denials may wait for a person,
\`gates.NAME.hold\` says whether they do. A project can only tighten: it cannot switch off what its person switched on.
`;

const BASIS = `A guard judges by the call alone and by what the [server watches](approvals.md#incidents). Guidance keeps a well-meaning agent on
its way: it judges by what the agent itself can write or say, so an agent that means it can get around it. The incidents tell much
of that, not all of it.`;

const FILES = `Gone, unreadable, a FIFO, a folder or a link in its place: each means the same. Files by which something was denied are watched
until a person prompts.`;

function startWords({ start }: GateRow): string {
	if (typeof start !== 'string') return `where ${start.where}`;
	return start === 'on' ? 'on' : 'off';
}

function holdWords({ mayHold, setting }: GateRow): string {
	if (mayHold === 'if-asked') return `if \`gates.${setting}.hold\` is true`;
	return mayHold ? 'yes' : 'no';
}

function table(rows: readonly GateRow[]): string {
	const lines = rows.map((row) => {
		const named = settingPaths(row)
			.map((path) => `\`${path}\``)
			.join(', ');
		return `| \`${row.id}\` | ${gateTitle(row.id)} | ${hookWords(row)} | ${startWords(row)} | ${row.profile} | ${holdWords(row)} | ${named} | ${row.seed} |`;
	});
	return [
		'| Gate | In words | Judges | Default | Profile | May wait | Settings | Seed |',
		'|---|---|---|---|---|---|---|---|',
		...lines,
	].join('\n');
}

function ruleTable(rows: readonly GateRow[]): string {
	const lines = rows.flatMap(({ id, denies }) =>
		Object.entries(denies).map(([rule, words]) => `| \`${id}\` | \`${rule}\` | ${words} |`),
	);
	return ['| Gate | Rule | Denies |', '|---|---|---|', ...lines].join('\n');
}

/** What nobody gets around without an incident, and what an agent that means it can get around, with the reason. */
function basisList(rows: readonly GateRow[]): string {
	return rows.map(({ id, basis }) => `- \`${id}\`: ${basisWords(basis)}`).join('\n');
}

function fileTable(): string {
	const lines = gateFiles.map(({ file, gates, loss, report }) => `| ${file} | ${gates} | ${loss} | ${report} |`);
	return [
		'| File | Gates that depend on it | What its loss means | How it is reported |',
		'|---|---|---|---|',
		...lines,
	].join('\n');
}

/** The whole of `docs/guide/gates.md`, from the table alone. */
export function renderGatesDoc(rows: readonly GateRow[] = gateTable): string {
	const profiles = Object.entries(profileWords).map(
		([profile, words]) => `- \`${profile}\`: if it cannot judge, ${words}.`,
	);
	return [
		INTRO,
		`${table(rows)}\n`,
		`## What the rules deny\n\n${ruleTable(rows)}\n`,
		`## Guard or guidance\n\n${BASIS}\n\n${basisList(rows)}\n`,
		`## The files that gates rest on\n\n${FILES}\n\n${fileTable()}\n`,
		`## Profiles\n\n${profiles.join('\n')}\n`,
	].join('\n');
}
