'use client';
import Link from 'next/link';
import { HubGrants } from '../approvals/grants/hub-grants.tsx';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';
import { MayBeOld } from '../ui/may-be-old.tsx';
import { NotYet } from '../ui/not-yet.tsx';
import { Advice } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { askRules } from './ask-rules.ts';
import { ClientDifferences } from './client-differences.tsx';
import { GateRow } from './gate-row.tsx';
import { PolicySection } from './policy-section.tsx';
import { RuleTable } from './rule-table.tsx';

/** Settings live in a file and counts grow with every call, so both are asked for again this often (ms). */
const AGAIN_MS = 10_000;
const DAYS = 30;
const askLately = () => {
	const since = new Date(Date.now() - DAYS * 24 * 3_600_000).toISOString();
	const zone = new Date().getTimezoneOffset();
	return callRoute('GET /api/decisions/summary', { query: { since, zone, by: 'rule' } });
};

/** Every gate: whether it judges, what it denies, what happens when it cannot, and how often its rules spoke. */
export function RulesPage() {
	const say = useSay();
	const { data: ruleList, error, reload } = useAnswer(askRules, AGAIN_MS);
	const { data: lately } = useAnswer(askLately, AGAIN_MS);
	if (!ruleList) return <NotYet label={say('Rules are loading')} error={error} />;
	const known = new Set(ruleList.gates.flatMap(({ denies }) => Object.keys(denies)));
	const others = ruleList.rules.filter(({ rule }) => !known.has(rule));
	return (
		<div className="mx-auto flex max-w-5xl flex-col gap-4 p-4 pb-8">
			<div>
				<h1 className="font-semibold text-title">{say('Rules')}</h1>
				<p className="text-muted">
					<Advice>
						{say(
							'As `config.json` of this home sets them; a project may only tighten. Counts are of the last 30 days; a row opens to its rules.',
						)}
					</Advice>
				</p>
				<Link
					href="/rejudge"
					prefetch={false}
					className="inline-flex min-h-6 items-center text-accent hover:underline pointer-coarse:min-h-10"
				>
					{say('Try other settings on history')}
				</Link>
				<MayBeOld error={error} />
			</div>
			{ruleList.problems.length > 0 && (
				<ul role="alert" className="text-warn">
					{ruleList.problems.map((problem) => (
						<li key={problem}>
							<span aria-hidden>▲ </span>
							<AgentText>{problem}</AgentText>
						</li>
					))}
				</ul>
			)}
			{ruleList.policy && <PolicySection policy={ruleList.policy} />}
			<HubGrants />
			<div>
				{ruleList.gates.map((gate) => (
					<GateRow
						key={gate.id}
						gate={gate}
						policy={ruleList.policy}
						counts={ruleList.rules}
						lately={lately}
						onWritten={reload}
					/>
				))}
			</div>
			{others.length > 0 && (
				<section aria-labelledby="other-rules" className="border-line border-t pt-3">
					<h2 id="other-rules" className="font-semibold">
						{say('Other rules')}
					</h2>
					<p className="text-muted">
						{say('Denials of gates that this version does not have, or that other programs wrote.')}
					</p>
					<RuleTable rules={others.map((count) => ({ ...count, denies: '' }))} lately={lately} />
				</section>
			)}
			<ClientDifferences ruleList={ruleList} />
		</div>
	);
}
