import { type GateCoverage, RuleList } from '#lib/contract/rules/rules.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { HubGrants } from '../approvals/grants/active-grants.tsx';
import { useSay } from '../language/use-say.ts';
import { useRoute } from '../live/use-answer.ts';
import { AnswerPending } from '../ui/answer-state.tsx';
import { Page } from '../ui/page.tsx';
import { Part } from '../ui/part.tsx';
import { Advice } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { ToneGlyph } from '../ui/tone.tsx';
import { GateRow } from './gate-row.tsx';
import { PolicySection } from './policy-section.tsx';
import { RuleTable } from './rule-table.tsx';

/** Poll interval (ms): settings are in a file, and counts grow with every call. */
const AGAIN_MS = 10_000;
const DAYS = 30;
const DAY_MS = 24 * 3_600_000;
export function RulesPage() {
	const say = useSay();
	const { data: ruleList, error, reload } = useRoute('GET /api/rules', {}, { everyMs: AGAIN_MS, schema: RuleList });
	// Rounded to days, so that repeated requests are equal.
	const since = new Date((Math.floor(Date.now() / DAY_MS) - DAYS) * DAY_MS).toISOString();
	const query = { since, zone: new Date().getTimezoneOffset(), by: 'rule' as const };
	const { data: lately } = useRoute('GET /api/decisions/summary', { query }, { everyMs: AGAIN_MS });
	if (!ruleList) return <AnswerPending label={say('Rules are loading')} error={error} />;
	const known = new Set(ruleList.gates.flatMap(({ denies }) => Object.keys(denies)));
	const others = ruleList.rules.filter(({ rule }) => !known.has(rule));
	return (
		<Page
			title={say('Rules')}
			about={
				<Advice>
					{say(
						'As `config.json` of this home sets them; a project may only tighten. A rule that cannot judge lets the call run, unless it fails closed. Counts are of the last 30 days.',
					)}
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
				{ruleList.gates.map((gate) => (
					<GateRow key={gate.id} gate={gate} list={ruleList} lately={lately} onWritten={reload} />
				))}
			</div>
			{others.length > 0 && (
				<Part
					title={say('Other rules')}
					note={say('Denials of gates that this version does not have, or that other programs wrote.')}
				>
					<RuleTable rules={others.map((count) => ({ ...count, denies: '' }))} lately={lately} />
				</Part>
			)}
			<ClientDifferences ruleList={ruleList} />
		</Page>
	);
}

/** How clients differ in their hooks, and what happens to a call if the hook itself fails. */
function ClientDifferences({ ruleList: { gates, makes } }: { ruleList: RuleList }) {
	const say = useSay();
	const clientsOf = (gate: RuleList['gates'][number], coverage: GateCoverage) =>
		makes.filter(({ name }) => (gate.standing[name] ?? 'not-asked') === coverage).map(({ title }) => title);
	const partly = gates.flatMap((gate) => {
		const missing = clientsOf(gate, 'not-asked');
		if (missing.length === 0) return [];
		const asking = makes.filter(({ title }) => !missing.includes(title)).map(({ title }) => title);
		const words =
			asking.length < missing.length
				? say('only {clients}', { clients: asking.join(', ') })
				: say('not {clients}', { clients: missing.join(', ') });
		return [{ id: gate.id, words }];
	});
	const closed = gates.flatMap((gate) => {
		const clients = clientsOf(gate, 'holds');
		return clients.length === 0 ? [] : [{ id: gate.id, words: clients.join(', ') }];
	});
	const untried = makes.filter(({ isTried }) => !isTried).map(({ title }) => title);
	return (
		<Part title={say('Clients')} className="flex flex-col gap-2">
			<p>{say(partly.length === 0 ? 'Every client asks every rule.' : 'Every client asks every rule, but:')}</p>
			<Lines lines={partly} />
			<p>
				{say(
					'Where the hook itself fails, the call runs (fails open); where a client is named here, nothing runs that was not judged (fails closed; with Claude Code, once its fail-closed entry is registered):',
				)}
			</p>
			<Lines lines={closed} />
			{untried.length > 0 && (
				<p className="text-muted">{say('Not tested with {clients}', { clients: untried.join(', ') })}</p>
			)}
		</Part>
	);
}

function Lines({ lines }: { lines: readonly { id: string; words: string }[] }) {
	const say = useSay();
	return (
		<ul className="pl-4">
			{lines.map(({ id, words }) => (
				<li key={id}>
					{say.known(gateSentence(id))}: <span className="text-muted">{words}</span>
				</li>
			))}
		</ul>
	);
}
