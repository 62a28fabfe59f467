import { gateTable } from '../gates/gate-table.ts';
import { printable } from '../text/printable.ts';

const NAME = 'hub.neverRemote';
/** The client's own permission prompts: they are no gate of ours, and wait as the denials of gates do. */
export const PROMPTS = 'permissionRequest';

/** Every name that can stand there. */
export const allNamed: readonly string[] = [...gateTable.map(({ setting }) => setting), PROMPTS];

/**
 * The gates that `hub.neverRemote` names in one config, as in `gates.<name>`. What is wrong is named in `problems`: a name is left
 * out, and what is no list may have named any of them.
 */
export function gatesNamed(value: unknown, problems: string[]): string[] {
	if (value === undefined) return [];
	if (!Array.isArray(value)) {
		problems.push(`${NAME} must be a list of names of gates; it names all of them until it is one`);
		return [...allNamed];
	}
	return value.flatMap((name: unknown) => {
		if (typeof name === 'string' && allNamed.includes(name)) return [name];
		const shown = printable(typeof name === 'string' ? name : (JSON.stringify(name) ?? ''), 60);
		problems.push(`${NAME}: "${shown}" is ignored; it must be the name of a gate, as in gates.<name>`);
		return [];
	});
}
