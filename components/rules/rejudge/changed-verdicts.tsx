import { useEffect, useState } from 'react';
import type { RequestOf } from '#lib/contract/routes/route-table.ts';
import type { RejudgeAnswer } from '#lib/contract/rules/rejudge.ts';
import type { RuleList } from '#lib/contract/rules/rules.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { locationWords } from '#lib/session/session-list.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useSummary } from '../../live/session-pages.ts';
import { rowAddress } from '../../row/addresses.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Toned } from '../../ui/tone.tsx';
import { When } from '../../ui/when.tsx';

type Changed = RejudgeAnswer['changed'][number];
type Gates = RuleList['gates'];

/** What other settings would have changed: first how much, with a warning if they loosen, then each call. */
export function ChangedVerdicts({ answer, gates }: { answer: RejudgeAnswer; gates: Gates }) {
	const say = useSay();
	const { sessions, judged, notJudged, added, spared, changed, next } = answer;
	return (
		<section aria-label={say('What would change')} className="flex min-w-0 flex-col gap-4">
			<div role="status">
				<div className="font-semibold text-title">
					{added > 0 && <p>{say('{count} more {count:call|calls} would have been denied.', { count: added })}</p>}
					{spared > 0 && (
						<Toned tone="warn" as="p">
							{say('This would let {count} {count:call|calls} run that {count:was|were} denied.', { count: spared })}
						</Toned>
					)}
					{added + spared === 0 && next === null && <p>{say('Nothing would have been different.')}</p>}
				</div>
				<p className="pt-1 text-muted">
					{say('{judged} verdicts of {sessions} {sessions:session|sessions} judged again.', { judged, sessions })}{' '}
					{next !== null && say('Still asking…')}
				</p>
				<NotJudged count={notJudged} />
			</div>
			<ChangedCalls changed={changed} gates={gates} />
			{changed.length < added + spared && (
				<p className="text-muted">{say('The first {count} are shown.', { count: changed.length })}</p>
			)}
		</section>
	);
}

/** Says nothing if all verdicts could be judged again. */
export function NotJudged({ count }: { count: number }) {
	const say = useSay();
	if (count === 0) return null;
	return (
		<p className="text-muted">
			{say('{count} {count:verdict|verdicts} could not be judged: not all of the facts were recorded.', { count })}
		</p>
	);
}

const isCommand = ({ rule }: Changed) => rule.startsWith('command.');
/** The program of a command, else the rule. */
const causeOf = (call: Changed) => (isCommand(call) ? (call.title.split(' ', 1)[0] ?? '') : call.rule);

/** Calls whose verdict would differ: what would be denied before what no longer would, each by its command or rule. */
function ChangedCalls({ changed, gates }: { changed: readonly Changed[]; gates: Gates }) {
	const say = useSay();
	const newest = changed.toSorted((one, other) => (one.at < other.at ? 1 : -1));
	const headOf = (call: Changed) => {
		if (isCommand(call)) return <AgentText className="font-mono text-mono">{causeOf(call)}</AgentText>;
		const gate = gates.find(({ denies }) => Object.hasOwn(denies, call.rule));
		return say.known(gate ? gateSentence(gate.id) : call.rule);
	};
	return (['Newly denied', 'No longer denied'] as const).map((title, at) => {
		const calls = newest.filter(({ after }) => (after === 'deny') === (at === 0));
		const causes = new Map(calls.map((call) => [causeOf(call), call]));
		return (
			calls.length > 0 && (
				<section key={title} aria-label={say(title)}>
					<h2 className="pb-1 font-semibold">{say(title)}</h2>
					{[...causes].map(([cause, one]) => {
						const own = calls.filter((call) => causeOf(call) === cause);
						return (
							<div key={cause} title={visibleString(one.rule)} className="border-line border-t py-1.5">
								<h3 className="font-medium">
									{headOf(one)}
									<span className="font-normal text-muted"> {own.length}</span>
								</h3>
								<ul>
									{own.map((call, index) => (
										// biome-ignore lint/suspicious/noArrayIndexKey: several rules may have matched one call.
										<CallLine key={index} call={call} />
									))}
								</ul>
							</div>
						);
					})}
				</section>
			)
		);
	});
}

/** A call whose verdict would change. Says whether it ran only where that is not expected. */
function CallLine({ call: { sessionId, toolUseId, title, at, after, ran } }: { call: Changed }) {
	const say = useSay();
	const session = useSummary(sessionId);
	return (
		<li className="flex flex-wrap items-center gap-x-4 md:flex-nowrap">
			<TextLink
				href={rowAddress(sessionId, toolUseId === '' ? undefined : `call:${toolUseId}`)}
				className="min-w-0 grow text-text max-md:basis-full"
			>
				<AgentText className="font-mono text-mono [overflow-wrap:anywhere]">
					{title === '' ? sessionId : title}
				</AgentText>
			</TextLink>
			{ran !== (after === 'deny') && (
				<span className="text-muted text-small">
					{ran ? say('it ran: somebody approved it') : say('it did not run')}
				</span>
			)}
			<AgentText className="min-w-0 truncate text-muted md:w-44">
				{locationWords(session?.project, session?.branch, sessionId)}
			</AgentText>
			<When at={at} className="ml-auto shrink-0 text-right md:w-14" />
		</li>
	);
}

const MAX_SHOWN = 500;

type Rejudging = { answer: RejudgeAnswer | null; error: string | null };

type RejudgeRequest = RequestOf<'GET /api/rejudge'>['query'];

/** Rejudges part by part and adds up the results. Another request starts again. */
export function useRejudge(request: RejudgeRequest | null): Rejudging {
	const key = JSON.stringify(request);
	const [found, setFound] = useState<Rejudging & { key: string }>({ key, answer: null, error: null });
	useEffect(() => {
		let current = true;
		void askAll(JSON.parse(key) as RejudgeRequest | null, (next) => {
			if (current) setFound({ key, ...next });
			return current;
		});
		return () => {
			current = false;
		};
	}, [key]);
	return found.key === key ? found : { answer: null, error: null };
}

async function askAll(request: RejudgeRequest | null, show: (found: Rejudging) => boolean): Promise<void> {
	if (!request) return;
	let sum: RejudgeAnswer | null = null;
	for (let before: string | undefined; ; ) {
		const query = { ...request, ...(before !== undefined && { before }) };
		const answer = await callRoute('GET /api/rejudge', { query });
		if (!answer.ok) return void show({ answer: sum, error: answer.message });
		sum = added(sum, answer.data);
		if (!show({ answer: sum, error: null }) || answer.data.next === null) return;
		before = answer.data.next;
	}
}

function added(one: RejudgeAnswer | null, other: RejudgeAnswer): RejudgeAnswer {
	if (!one) return other;
	const sums = (['sessions', 'judged', 'notJudged', 'added', 'spared'] as const).map((key) => [
		key,
		one[key] + other[key],
	]);
	return { ...other, ...Object.fromEntries(sums), changed: [...one.changed, ...other.changed].slice(0, MAX_SHOWN) };
}
