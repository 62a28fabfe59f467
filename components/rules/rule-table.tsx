import type { LedgerSummary } from '#lib/contract/archives/decisions.ts';
import type { RuleList } from '#lib/contract/rules/rules.ts';
import { parsedJson } from '#lib/json/json.ts';
import { spreadDays, stripWords } from '#lib/ledger/ledger-days.ts';
import type { Say } from '#lib/messages/say.ts';
import { BarStrip, LedgerCount } from '../decisions/ledger-figures.tsx';
import { useSay } from '../language/use-say.ts';
import { useRoute } from '../live/use-answer.ts';
import { Table } from '../ui/table.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

export interface RuleLine {
	rule: string;
	denies: string;
	denied: number;
	overridden: number;
}

/** Rules with their denials and overrides. */
export function RuleTable({ rules }: { rules: readonly RuleLine[] }) {
	const say = useSay();
	return (
		<Table
			className="mt-1"
			rows={rules}
			keyOf={({ rule }) => rule}
			rowClassName="align-baseline"
			columns={[
				{
					key: 'denies',
					head: say('Denies'),
					className: 'pl-0',
					cell: ({ rule, denies }) => (
						<>
							{say.known(denies)}{' '}
							<AgentText className="font-mono text-mono text-muted [overflow-wrap:anywhere]">{rule}</AgentText>
						</>
					),
				},
				{
					key: 'denied',
					head: say('Denied'),
					isNumber: true,
					className: 'w-16',
					cell: ({ rule, denied }) => <LedgerCount count={denied} kind="denied" rule={rule} />,
				},
				{
					key: 'overridden',
					head: say('Overridden'),
					isNumber: true,
					className: 'w-24 whitespace-nowrap',
					cell: ({ rule, denied, overridden }) => (
						<>
							<LedgerCount count={overridden} kind="overridden" rule={rule} />
							{overridden > 0 && (
								<span className="text-muted"> ({Math.round((overridden / (denied + overridden)) * 100)} %)</span>
							)}
						</>
					),
				},
			]}
		/>
	);
}

/** Poll interval (ms): counts grow with every call. */
export const REFRESH_MS = 10_000;
const DAYS = 30;
const DAY_MS = 24 * 3_600_000;

/** Decisions of the last 30 days by rule; null until loaded. */
export function useLately(): LedgerSummary | null {
	// Rounded to days, so that repeated requests are equal.
	const since = new Date((Math.floor(Date.now() / DAY_MS) - DAYS) * DAY_MS).toISOString();
	const query = { since, zone: new Date().getTimezoneOffset(), by: 'rule' as const };
	return useRoute('GET /api/decisions/summary', { query }, { everyMs: REFRESH_MS }).data;
}

export const EXCLUDE = 'commands.exclude';

/** The commands that must not run, by the settings in force. */
export function listInForce(gates: RuleList['gates']): readonly string[] {
	const list = parsedJson(gates.find(({ values }) => EXCLUDE in values)?.values[EXCLUDE] ?? '[]');
	return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
}

/** How often these rules denied, and how many of those denials were overridden; empty without denials. */
export function deniedWords(rules: readonly string[], lately: LedgerSummary | null, say: Say): string {
	const days = lately?.series.filter(({ name }) => rules.includes(name)).flatMap((one) => one.days) ?? [];
	const sum = (of: 'denied' | 'overridden') => days.reduce((total, day) => total + day[of], 0);
	const [denied, overridden] = [sum('denied'), sum('overridden')];
	if (overridden === 0) return denied === 0 ? '' : say('{denied} denied', { denied });
	return say('{overridden} of {count} overridden', { overridden, count: denied + overridden });
}

/** Days on which these rules denied, on the axis and the scale of all rules; empty without denials. */
export function DeniedDays(props: { rules: readonly string[]; lately: LedgerSummary; className: string }) {
	const { rules, lately, className } = props;
	const say = useSay();
	const days = lately.series.filter(({ name }) => rules.includes(name)).flatMap((one) => one.days);
	const byDay = new Map<string, number>();
	for (const { day, denied } of days) byDay.set(day, (byDay.get(day) ?? 0) + denied);
	const bars = [...byDay].map(([day, value]) => ({ day, value, words: String(value) }));
	const total = bars.reduce((sum, { value }) => sum + value, 0);
	if (total === 0) return null;
	const most = Math.max(1, ...lately.series.flatMap((one) => one.days.map(({ denied }) => denied)));
	const label = stripWords(say('Denied in the last 30 days'), String(total), bars, say);
	return <BarStrip label={label} days={spreadDays(bars, lately.days)} most={most} tone="err" className={className} />;
}
