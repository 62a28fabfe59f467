import { type ReactNode, useEffect, useState } from 'react';
import type { RejudgeAnswer } from '#lib/contract/rules/rejudge.ts';
import type { RuleList } from '#lib/contract/rules/rules.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { locationWords } from '#lib/session/session-list.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useSummary } from '../../live/session-pages.ts';
import { rowAddress } from '../../row/addresses.ts';
import { Fold, Part } from '../../ui/part.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Toned } from '../../ui/tone.tsx';
import { When } from '../../ui/when.tsx';

type Changed = RejudgeAnswer['changed'][number];
type Gates = RuleList['gates'];

interface ChangedVerdictsProps {
	answer: RejudgeAnswer;
	gates: Gates;
	action: ReactNode;
}

/** What other settings would have changed: first how much, with a warning if they loosen, then each call. */
export function ChangedVerdicts({ answer, gates, action }: ChangedVerdictsProps) {
	const say = useSay();
	const { sessions, judged, notJudged, added, spared, changed, next } = answer;
	return (
		<section aria-label={say('What would change')} className="flex min-w-0 flex-col gap-4">
			<div className="flex flex-wrap items-start gap-x-4 gap-y-2">
				<div role="status" className="mr-auto flex min-w-0 flex-col gap-1">
					<div className="font-semibold text-title">
						{added > 0 && <p>{say('{count} more {count:call|calls} would have been denied.', { count: added })}</p>}
						{spared > 0 && (
							<Toned tone="warn" as="p">
								{say('This would let {count} {count:call|calls} run that {count:was|were} denied.', { count: spared })}
							</Toned>
						)}
						{added + spared === 0 && next === null && <p>{say('Nothing would have been different.')}</p>}
					</div>
					<p className="text-muted">
						{say(
							'{judged} verdicts of {sessions} {sessions:session|sessions} judged again; {notJudged} could not be judged.',
							{ judged, sessions, notJudged },
						)}{' '}
						{next !== null && say('Still asking…')}
					</p>
				</div>
				{action}
			</div>
			<ChangedCalls changed={changed} gates={gates} />
			{changed.length < added + spared && (
				<p className="text-muted">{say('The first {count} are shown.', { count: changed.length })}</p>
			)}
		</section>
	);
}

/** Calls whose verdict would differ: what would be denied before what no longer would, each by its command or rule. */
export function ChangedCalls({ changed, gates }: { changed: readonly Changed[]; gates: Gates }) {
	const say = useSay();
	return (['deny', 'pass'] as const).map((after) => {
		const calls = changed.filter((one) => (one.after === 'deny') === (after === 'deny'));
		if (calls.length === 0) return null;
		const groups = new Map<string, Changed[]>();
		for (const call of calls) groups.set(causeOf(call), [...(groups.get(causeOf(call)) ?? []), call]);
		return (
			<Part
				key={after}
				title={after === 'deny' ? say('Would have been denied') : say('No longer denied')}
				count={calls.length}
			>
				{[...groups]
					.sort(([, one], [, other]) => other.length - one.length)
					.map(([cause, own]) => (
						<CallGroup key={cause} calls={own} gates={gates} />
					))}
			</Part>
		);
	});
}

const isCommand = ({ rule }: Changed) => rule.startsWith('command.');
/** The program of a command, else the rule. */
const causeOf = (call: Changed) => (isCommand(call) ? (call.title.split(' ', 1)[0] ?? '') : call.rule);

const SHOWN = 8;

function CallGroup({ calls, gates }: { calls: readonly Changed[]; gates: Gates }) {
	const say = useSay();
	const [first] = calls;
	if (!first) return null;
	const { rule } = first;
	const gate = gates.find(({ denies }) => Object.hasOwn(denies, rule));
	const ordered = calls.toSorted((one, other) => (one.at < other.at ? 1 : -1));
	const rest = ordered.slice(SHOWN);
	return (
		<section title={visibleString(rule)} className="border-line border-t py-1.5">
			<h3 className="flex items-baseline gap-2 font-medium">
				{isCommand(first) ? (
					<AgentText className="font-mono text-mono">{causeOf(first)}</AgentText>
				) : (
					say.known(gate ? gateSentence(gate.id) : rule)
				)}
				<span className="font-normal text-muted tabular-nums">{calls.length}</span>
			</h3>
			<CallLines calls={ordered.slice(0, SHOWN)} />
			{rest.length > 0 && (
				<Fold title={say('{count} more', { count: rest.length })}>
					<CallLines calls={rest} />
				</Fold>
			)}
		</section>
	);
}

function CallLines({ calls }: { calls: readonly Changed[] }) {
	return (
		<ul>
			{calls.map((call, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: several rules may have matched one call.
				<CallLine key={index} call={call} />
			))}
		</ul>
	);
}

/** One call. Whether it ran is said where one would not expect it. */
function CallLine({ call: { sessionId, toolUseId, title, at, after, ran } }: { call: Changed }) {
	const say = useSay();
	const session = useSummary(sessionId);
	const note = after === 'deny' ? (ran ? '' : say('it did not run')) : ran ? say('it ran: somebody approved it') : '';
	return (
		<li className="flex flex-wrap items-center gap-x-4 @min-[40rem]:flex-nowrap">
			<TextLink
				href={rowAddress(sessionId, toolUseId === '' ? undefined : `call:${toolUseId}`)}
				className="min-w-0 grow text-text max-md:basis-full"
			>
				<AgentText className="font-mono text-mono [overflow-wrap:anywhere]">
					{title === '' ? sessionId : title}
				</AgentText>
			</TextLink>
			{note !== '' && <span className="text-muted text-small">{note}</span>}
			<AgentText className="min-w-0 truncate text-muted md:w-44">
				{locationWords(session?.project, session?.branch, sessionId)}
			</AgentText>
			<When at={at} className="ml-auto shrink-0 text-right md:w-14" />
		</li>
	);
}

const MOST_SHOWN = 500;

type Rejudging = { answer: RejudgeAnswer | null; error: string | null };

interface RejudgeWish {
	set: string;
	/** The settings in force of which `set` is a change, see `RejudgeQuery`. */
	base?: string;
	session?: string;
	project?: string;
}

/** Rejudges part by part and adds up the results. Another request starts again. */
export function useRejudge(wish: RejudgeWish | null): Rejudging {
	const key = JSON.stringify(wish);
	const [found, setFound] = useState<Rejudging & { key: string }>({ key, answer: null, error: null });
	useEffect(() => {
		let current = true;
		void askAll(JSON.parse(key) as RejudgeWish | null, (next) => {
			if (current) setFound({ key, ...next });
			return current;
		});
		return () => {
			current = false;
		};
	}, [key]);
	return found.key === key ? found : { answer: null, error: null };
}

async function askAll(wish: RejudgeWish | null, show: (found: Rejudging) => boolean): Promise<void> {
	if (!wish) return;
	let sum: RejudgeAnswer | null = null;
	for (let before: string | undefined; ; ) {
		const answer = await callRoute('GET /api/rejudge', { query: { ...wish, ...(before !== undefined && { before }) } });
		if (!answer.ok) return void show({ answer: sum, error: answer.message });
		sum = added(sum, answer.data);
		if (!show({ answer: sum, error: null }) || answer.data.next === null) return;
		before = answer.data.next;
	}
}

function added(one: RejudgeAnswer | null, other: RejudgeAnswer): RejudgeAnswer {
	if (!one) return other;
	return {
		sessions: one.sessions + other.sessions,
		judged: one.judged + other.judged,
		notJudged: one.notJudged + other.notJudged,
		added: one.added + other.added,
		spared: one.spared + other.spared,
		changed: [...one.changed, ...other.changed].slice(0, MOST_SHOWN),
		next: other.next,
	};
}
