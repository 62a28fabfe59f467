import { shellCommands } from '#lib/commands/shell-help.ts';

/** The shell's own commands as a table, as its help has them. */
export function shellLines(): string {
	const cell = (text: string): string => text.replaceAll('|', '\\|');
	const rows = Object.values(shellCommands).map(({ usage, about }) => {
		return `| \`${cell(usage.replace(/^Usage: /, ''))}\` | ${cell(about)} |`;
	});
	return ['| command | what it does |', '|---|---|', ...rows].join('\n');
}
