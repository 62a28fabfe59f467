import { RuleList } from '#lib/contract/rules/rules.ts';
import { HubGrants } from '../approvals/grants/active-grants.tsx';
import { useSay } from '../language/use-say.ts';
import { useRoute } from '../live/use-answer.ts';
import { AnswerPending } from '../ui/answer-state.tsx';
import { cn } from '../ui/cn.ts';
import { ColumnHeads } from '../ui/column-heads.tsx';
import { Page } from '../ui/page.tsx';
import { Part } from '../ui/part.tsx';
import { Advice } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { ToneGlyph } from '../ui/tone.tsx';
import { GATE_COLUMNS, GateRow } from './gate-row.tsx';
import { PolicySection } from './policy-section.tsx';
import { REFRESH_MS, RuleTable, useLately } from './rule-table.tsx';

const HEADS = ['Rule', 'What it does', 'Denials, last 30 days'] as const;

export function RulesPage() {
	const say = useSay();
	const { data: ruleList, error, reload } = useRoute('GET /api/rules', {}, { everyMs: REFRESH_MS, schema: RuleList });
	const lately = useLately();
	if (!ruleList) return <AnswerPending label={say('Rules are loading')} error={error} />;
	const known = new Set(ruleList.gates.flatMap(({ denies }) => Object.keys(denies)));
	const others = ruleList.rules.filter(({ rule }) => !known.has(rule));
	const untried = ruleList.makes.filter(({ isTried }) => !isTried).map(({ title }) => title);
	return (
		<Page
			title={say('Rules')}
			about={
				<Advice>
					{say('What agents may not do. Set in `config.json` of this home; a project may only tighten it.')}
				</Advice>
			}
			aside={
				<TextLink href="/rejudge" className="ml-auto">
					{say('Try other settings on history')}
				</TextLink>
			}
			error={error}
		>
			{ruleList.problems.length > 0 && (
				<ul role="alert" className="text-warn">
					{ruleList.problems.map((problem) => (
						<li key={problem}>
							<ToneGlyph tone="warn" />
							<AgentText>{problem}</AgentText>
						</li>
					))}
				</ul>
			)}
			{ruleList.policy && <PolicySection policy={ruleList.policy} />}
			<HubGrants />
			<div>
				<ColumnHeads names={HEADS} className={cn(GATE_COLUMNS, 'hidden whitespace-nowrap md:grid')} />
				{ruleList.gates.map((gate) => (
					<GateRow key={gate.id} gate={gate} list={ruleList} lately={lately} onWritten={reload} />
				))}
			</div>
			{untried.length > 0 && (
				<p className="text-muted text-small">{say('Not tested with {clients}.', { clients: untried.join(', ') })}</p>
			)}
			{others.length > 0 && (
				<Part
					title={say('Other rules')}
					note={say('Denials of gates that this version does not have, or that other programs wrote.')}
				>
					<RuleTable rules={others.map((count) => ({ ...count, denies: '' }))} />
				</Part>
			)}
		</Page>
	);
}
