import { gateById } from '../gates/gate-table.ts';
import { PROMPTS } from '../settings/named-lists.ts';

/** Whether one of these gates (`hub.neverRemote`) denies the call; a permission prompt of the client is known by its suggestions. */
export function isNeverRemote(
	names: readonly string[],
	{ denials, suggestions }: { denials: readonly { gate: string }[]; suggestions?: unknown },
): boolean {
	if (suggestions !== undefined && names.includes(PROMPTS)) return true;
	return denials.some(({ gate }) => names.includes(gateById(gate)?.setting ?? gate));
}
