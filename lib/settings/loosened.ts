import type { GateSetting } from '../gates/gate-table.ts';
import type { Settings } from './settings.ts';

/** What `now` no longer holds back that `before` did, in words; what was made stricter or stayed is not named. */
export function loosenedBy(before: Settings, now: Settings): string[] {
	const gates = Object.keys(before.gates) as GateSetting[];
	const off = gates.filter((gate) => before.gates[gate].enabled === true && now.gates[gate].enabled !== true);
	const given = before.commands.exclude.filter((pattern) => !now.commands.exclude.includes(pattern));
	return [
		...(given.length > 0 ? [`commands.exclude no longer names ${given.join(', ')}`] : []),
		...off.map((gate) => `gates.${gate} is no longer on`),
		...(before.gates.commandPolicy.enabled !== false && now.gates.commandPolicy.enabled === false
			? ['gates.commandPolicy is off']
			: []),
		...(before.withoutSandbox === 'refuse' && now.withoutSandbox === 'run'
			? ['commands.withoutSandbox no longer refuses']
			: []),
		...(before.observe && !now.observe ? ['approvals.observe is no longer on'] : []),
	];
}
