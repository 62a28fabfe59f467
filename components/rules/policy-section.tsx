import type { RuleList } from '#lib/contract/rules/rules.ts';
import { dayAndTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { GridFact } from '../ui/detail-fact.tsx';
import { Part } from '../ui/part.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

export function PolicySection({ policy }: { policy: NonNullable<RuleList['policy']> }) {
	const say = useSay();
	const { hub, team, version, until, mayLoosen, says } = policy;
	return (
		<Part title={say('From the hub')} className="flex flex-col gap-1">
			<p>
				<AgentText>
					{say('Policy v{version} of team {team}, from the hub {hub}, until {until}.', {
						...{ version: String(version), team, hub, until: dayAndTime(until) },
					})}
				</AgentText>
			</p>
			<p className="text-muted">
				{mayLoosen
					? say('A root passkey stands for it: where this home says nothing, it may also hold back less than is usual.')
					: say('It only adds to what this home and its projects hold back.')}
			</p>
			<PolicyValues says={says} />
		</Part>
	);
}

export function PolicyValues({ says }: { says: Readonly<Record<string, string>> }) {
	const say = useSay();
	const values = Object.entries(says);
	if (values.length === 0) return <p className="text-muted">{say('Nothing is held back by it.')}</p>;
	return (
		<dl className="grid grid-cols-[minmax(0,max-content)_minmax(30%,1fr)] gap-x-3 font-mono text-mono [overflow-wrap:anywhere]">
			{values.map(([path, value]) => (
				<GridFact key={path} name={path}>
					{value}
				</GridFact>
			))}
		</dl>
	);
}
