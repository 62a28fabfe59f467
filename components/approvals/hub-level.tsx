import type { Machine } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

/** How far each level goes, as tiers say it of a machine. */
const words: Record<Machine['level'], { tier: 'H0' | 'H1' | 'H2'; what: Plain }> = {
	watch: { tier: 'H0', what: 'is decided at the machine alone' },
	hub: { tier: 'H1', what: 'believes this hub, without a passkey' },
	passkey: { tier: 'H2', what: 'checks your passkey itself' },
};

interface HubLevelProps {
	machine: Machine;
	/** By this page, just now. */
	isAsked: boolean;
	/** Who has asked it before. */
	underWay: string | undefined;
}

/** At a hub: what the machine makes of a decision from here, and that it is being asked. */
export function HubLevel({ machine: { name, team, level }, isAsked, underWay }: HubLevelProps) {
	const say = useSay();
	if (underWay !== undefined && !isAsked)
		return (
			<p role="status" className="text-run">
				<AgentText>{say.told(underWay)}</AgentText>
			</p>
		);
	const { tier, what } = words[level];
	return (
		<p role="status" className="text-muted">
			{isAsked
				? say('{machine} is asked…', { machine: name })
				: say('{tier}: {machine} ({team}) {what}', { tier, machine: name, team, what: say(what) })}
		</p>
	);
}
