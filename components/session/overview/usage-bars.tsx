import type { UsageTotals } from '#lib/contract/events/usage.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Say } from '#lib/messages/say.ts';
import { type UsageShare, usageShares } from '#lib/overview/overview.ts';
import { costOfAll, tokenNumber, usageTokens } from '#lib/usage/usage-totals.ts';
import { useSay } from '../../language/use-say.ts';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { OverviewSection } from './overview-section.tsx';

const FILLS = ['bg-accent', 'bg-run', 'bg-ok', 'bg-wait', 'bg-warn', 'bg-muted'] as const;
const LAST = FILLS.length - 1;

/** Tokens and cost: in all, then as bars by model and by agent. */
export function UsageBars({ view }: { view: SessionView }) {
	const say = useSay();
	const { usage, agents } = view;
	if (!usage) {
		return (
			<OverviewSection title={say('Tokens and cost')}>
				<p className="text-muted">{say('Nothing is known: no transcript of the client was read.')}</p>
			</OverviewSection>
		);
	}
	// Agents of one name are told apart by their stages.
	const nameOf = (agentId: string) => {
		const { name = agentId, stage } = agents.find((agent) => agent.agentId === agentId) ?? {};
		return agentId === '' ? say('main') : [name, stage].filter(Boolean).join(' · ');
	};
	return (
		<OverviewSection
			title={say('Tokens and cost')}
			note={say('{cost}, list prices', { cost: costOfAll(usage.total) ?? say('no price known') })}
		>
			<p>{totalWords(usage.total, say)}</p>
			{usage.total.unpriced > 0 && (
				<p className="text-muted">
					{say('{count} {count:answer|answers} of a model without a price: its tokens are counted, its cost is not.', {
						count: usage.total.unpriced,
					})}
				</p>
			)}
			<UsageBar label={say('By model')} shares={usageShares(usage.models)} nameOf={(name) => name} />
			<UsageBar label={say('By agent')} shares={usageShares(usage.agents)} nameOf={nameOf} />
		</OverviewSection>
	);
}

function totalWords(
	{ answers, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: UsageTotals,
	say: Say,
): string {
	return [
		say('{count} {count:answer|answers}', { count: answers }),
		say('{count} in', { count: tokenNumber(inputTokens) }),
		say('{count} out', { count: tokenNumber(outputTokens) }),
		say('{count} from cache', { count: tokenNumber(cacheReadTokens) }),
		say('{count} to cache', { count: tokenNumber(cacheWriteTokens) }),
	].join(' · ');
}

interface UsageBarProps {
	label: string;
	shares: readonly UsageShare[];
	nameOf: (name: string) => string;
}

function UsageBar({ label, shares, nameOf }: UsageBarProps) {
	const say = useSay();
	const id = (part: UsageShare['part']) => (part.others ? 'others' : `of ${part.name}`);
	return (
		<div className="pt-2">
			<div className="pb-0.5 text-muted text-small">{label}</div>
			<div aria-hidden className="flex h-3 w-full overflow-hidden rounded-sm bg-raised">
				{shares.map(({ part, share }, at) => (
					<span key={id(part)} className={FILLS[Math.min(at, LAST)]} style={{ width: `${share * 100}%` }} />
				))}
			</div>
			<ul aria-label={label} className="pt-0.5">
				{shares.map(({ part, share, name }, at) => (
					<li key={id(part)} className="flex min-w-0 items-center gap-2">
						<span aria-hidden className={cn('h-2 w-2 shrink-0 rounded-sm', FILLS[Math.min(at, LAST)])} />
						<AgentText className="min-w-0 truncate">{part.others ? say('others') : nameOf(name)}</AgentText>
						<span className="ml-auto whitespace-nowrap text-muted">{say.told(usageTokens(part))}</span>
						<span className="w-20 whitespace-nowrap text-right">{costOfAll(part) ?? say('no price')}</span>
						<span className="w-10 shrink-0 whitespace-nowrap text-right text-muted">{Math.round(share * 100)} %</span>
					</li>
				))}
			</ul>
		</div>
	);
}
