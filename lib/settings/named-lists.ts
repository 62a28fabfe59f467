import { gateTable } from '../gates/gate-table.ts';
import { printable } from '../text/printable.ts';

/** Prompts of the client wait as denials of gates do. */
export const PROMPTS = 'permissionRequest';

export const allNames: readonly string[] = [...gateTable.map(({ setting }) => setting), PROMPTS];

/** An unknown name is left out, and a value that is not a list names all gates. */
export function gatesNamed(value: unknown, problems: string[]): string[] {
	if (value === undefined) return [];
	if (!Array.isArray(value)) {
		problems.push(`hub.neverRemote must be a list of names of gates; it names all of them until it is one`);
		return [...allNames];
	}
	return value.flatMap((name: unknown) => {
		if (typeof name === 'string' && allNames.includes(name)) return [name];
		const shown = printable(typeof name === 'string' ? name : (JSON.stringify(name) ?? ''), 60);
		problems.push(`hub.neverRemote: "${shown}" is ignored; it must be the name of a gate, as in gates.<name>`);
		return [];
	});
}
