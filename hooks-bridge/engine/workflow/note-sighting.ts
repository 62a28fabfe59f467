import { type Observation, type Sighting, sighted } from '#lib/workflow/observation.ts';
import type { FlowCall } from './flow-part.ts';

/** Adds what was seen to the session's observations, unless `isNew` says of those that it is none. */
export function noteSighting(
	{ hook, root, ports }: Pick<FlowCall, 'hook' | 'root' | 'ports'>,
	seen: Sighting,
	isNew: (known: readonly Observation[]) => boolean = () => true,
): void {
	const now = ports.now();
	const nonce = ports.digest(JSON.stringify([hook.sessionId, now, seen])).slice(0, 4);
	const at = { at: new Date(now).toISOString(), freshId: `inst_${now.toString(36)}_${nonce}` };
	ports.sessionFiles.observe(hook.sessionId, (known) =>
		isNew(known) ? sighted(known, { ...seen, project: root }, at) : null,
	);
}
