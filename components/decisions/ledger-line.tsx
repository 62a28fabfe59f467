import { PageLink } from '#components/ui/text-link.tsx';
import { deciderTitle, deciderWords } from '#lib/approvals/call-words.ts';
import type { DecisionRecord, Followed, LedgerState } from '#lib/contract/archives/decisions.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { outcomeLook, outcomeWords, stateWords } from '#lib/ledger/ledger-words.ts';
import type { Plain } from '#lib/messages/say.ts';
import { resultTone } from '#lib/session/row.ts';
import { locationWords } from '#lib/session/session-list.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockTime } from '#lib/time/clock.ts';
import { roundDuration } from '#lib/time/duration.ts';
import { useSay } from '../language/use-say.ts';
import { rowAddress, runAddress } from '../row/addresses.ts';
import { ClientMark } from '../row/client.tsx';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { Toned, ToneGlyph, toneText } from '../ui/tone.tsx';
import type { RowProps } from '../ui/use-roving.ts';
import { When } from '../ui/when.tsx';

const SECOND_MS = 1000;
const COLUMNS = 'grid gap-x-3 grid-cols-[3rem_minmax(0,1fr)] @min-[700px]:grid-cols-[4rem_minmax(0,1fr)_minmax(0,1fr)]';

/** One decision: which call, what was decided and by which rule, what came of it. */
export function LedgerLine({ line, rowProps }: { line: DecisionRecord; rowProps: RowProps }) {
	const say = useSay();
	const { sessionId, rowKey, at, tool, title, denials, state, reason, decideMs, project, branch, machine } = line;
	const { archive, followed, by } = line;
	const isStop = line.isStop === true && tool.endsWith('Stop');
	const isReviewed = denials.some(({ gate }) => gate === 'supervisor');
	const gates = isStop && isReviewed ? [] : denials;
	const { words, tone } = outcomeLook(line);
	// What every decision of its kind leads to is left to screen readers.
	const isExpected = state === 'waiting' || words === 'ran' || (tone === 'plain' && !letRun.has(state));
	return (
		<li>
			<PageLink
				href={
					archive === undefined
						? rowAddress(sessionId, rowKey)
						: runAddress({ kind: 'archive', id: archive }, { sessionId, row: rowKey, at })
				}
				{...rowProps}
				className={`${COLUMNS} border-line border-b py-1.5 hover:bg-hover`}
			>
				<When at={at} />
				<span className="min-w-0">
					<span className="line-clamp-2 [overflow-wrap:anywhere]">
						{!isStop && <span className="text-muted">{tool} </span>}
						{isStop ? say('The agent wanted to stop') : <AgentText className="font-mono text-mono">{title}</AgentText>}
					</span>
					<span className="flex min-w-0 items-center gap-2 text-muted text-small">
						<span className="truncate">
							<AgentText>{locationWords(project, branch, sessionId, machine)}</AgentText>
							{archive !== undefined && say(' · in the archive')}
						</span>
						<ClientMark client={line.agent} className="@max-[700px]:hidden" />
					</span>
				</span>
				<span className="min-w-0 [overflow-wrap:anywhere] @max-[700px]:col-start-2 @max-[700px]:line-clamp-3">
					<span className="@min-[700px]:line-clamp-3">
						<span className={cn('font-medium', state === 'waiting' && toneText.wait)}>
							{state === 'waiting' && <ToneGlyph tone="wait" />}
							{say(state === 'unasked' ? deniedBy(isStop, isReviewed) : stateWords[state])}
						</span>
						<span className={isExpected ? 'sr-only' : toneText[tone]}>
							{' · '}
							{tone !== 'plain' && <ToneGlyph tone={tone} />}
							{say(words)}
						</span>
						{by && (
							<span title={deciderWords(by, say)}>
								{' · '}
								<AgentText>{deciderTitle(by, say)}</AgentText>
							</span>
						)}
						{decideMs !== undefined && decideMs >= SECOND_MS && (
							<span className="text-muted">{say(' after {time}', { time: roundDuration(decideMs) })}</span>
						)}
						{(reason || isStop) && <AgentText className="text-muted">{` “${reason || title}”`}</AgentText>}
					</span>
					{gates.map(({ gate, rule, reason: why }) => (
						<span
							key={`${gate} ${rule} ${why}`}
							title={visibleString(rule)}
							className="text-muted text-small @min-[700px]:line-clamp-2"
						>
							<span className="@min-[700px]:hidden"> · </span>
							<AgentText>{say.known(gateSentence(gate))}</AgentText>
						</span>
					))}
				</span>
				{followed && state !== 'waiting' && <FollowedLine followed={followed} />}
			</PageLink>
		</li>
	);
}

const letRun: ReadonlySet<LedgerState> = new Set(['approved', 'answered', 'granted', 'late']);

const deniedBy = (isStop: boolean, isReviewed: boolean): Plain =>
	isStop && isReviewed ? 'refused by the reviewer' : isReviewed ? 'denied by the reviewer' : 'denied by the rule';

function FollowedLine({ followed: { calls, again, stage } }: { followed: Followed }) {
	const say = useSay();
	const tone = stage && resultTone(stage.result ?? undefined, stage.result === null ? 'run' : 'ok');
	return (
		<span className="col-[2/-1] mt-1 flex min-w-0 flex-col gap-0.5 border-line border-l-2 pl-2 text-small">
			<span className="flex flex-wrap items-baseline gap-x-4">
				<span className="text-muted">{say('Then')}</span>
				{calls.length === 0 && <span className="text-muted">{say('its agent called nothing more')}</span>}
				{calls.map(({ rowKey, tool, title, outcome }) => (
					<span key={rowKey} className="max-w-full truncate">
						<AgentText className="text-muted">{tool}</AgentText>{' '}
						<AgentText className="font-mono text-mono">{title.slice(0, 80)}</AgentText>
						{outcome !== 'ran' && (
							<span className={outcome === 'failed' ? 'text-err' : 'text-warn'}> {say(outcomeWords[outcome])}</span>
						)}
					</span>
				))}
			</span>
			{(again || stage) && (
				<span className="flex flex-wrap gap-x-4 [overflow-wrap:anywhere]">
					{again && (
						<Toned tone="err">
							{say('stopped again at {time}:', { time: clockTime(Date.parse(again.at)) })}{' '}
							<AgentText className="font-mono text-mono">{again.title.slice(0, 80)}</AgentText>
						</Toned>
					)}
					{stage && tone && (
						<span>
							<span className="text-muted">{say('Stage')} </span>
							<AgentText>{stage.stage}</AgentText>{' '}
							<Toned tone={tone}>
								{stage.result === null ? say('has not ended') : <AgentText>{stage.result}</AgentText>}
							</Toned>
						</span>
					)}
				</span>
			)}
		</span>
	);
}
