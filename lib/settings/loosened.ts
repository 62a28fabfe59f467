import type { GateSetting } from '../gates/gate-table.ts';
import { tell } from '../messages/tell.ts';
import type { Settings } from './settings.ts';

/** What `now` no longer holds back that `before` did, in words; what was made stricter or stayed is not named. */
export function loosenedBy(before: Settings, now: Settings): string[] {
	const gates = Object.keys(before.gates) as GateSetting[];
	const off = gates.filter((gate) => before.gates[gate].enabled === true && now.gates[gate].enabled !== true);
	const given = before.commands.exclude.filter((pattern) => !now.commands.exclude.includes(pattern));
	return [
		...(given.length > 0
			? [tell('commands.exclude no longer names {patterns}#less', { patterns: given.join(', ') })]
			: []),
		...off.map((gate) => tell('{setting} is no longer on#less', { setting: `gates.${gate}` })),
		...(before.gates.commandPolicy.enabled !== false && now.gates.commandPolicy.enabled === false
			? [tell('{setting} is off#less', { setting: 'gates.commandPolicy' })]
			: []),
		...(before.commands.unknown === 'ask' && now.commands.unknown !== 'ask'
			? [tell('commands.unknown no longer asks#less')]
			: []),
		...(before.commands.enforce === 'sandbox' && now.commands.enforce !== 'sandbox'
			? [tell('commands.enforce no longer runs lines in the sandbox#less')]
			: []),
		...(before.withoutSandbox === 'refuse' && now.withoutSandbox === 'run'
			? [tell('commands.withoutSandbox no longer refuses#less')]
			: []),
		...(before.observe && !now.observe
			? [tell('{setting} is no longer on#less', { setting: 'approvals.observe' })]
			: []),
	];
}
