import { deciderWords, decisionWords, grantWords } from '#lib/approvals/call-words.ts';
import type { Tone } from '#lib/contract/events/event-labels.ts';
import type { AgentView, MismatchView, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { outcomeLooks } from '#lib/session/call.ts';
import { isAgentOpen } from '#lib/session/fold-agents.ts';
import { type PlanSide, planAgainstReality } from '#lib/session/plan-sides.ts';
import { resultTone } from '#lib/session/row.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockTime } from '#lib/time/clock.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { LiveDuration } from '../../live/live-duration.tsx';
import { RowButton } from '../../row/session-lines.tsx';
import { cn } from '../../ui/cn.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fold, Part } from '../../ui/part.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { Toned, ToneGlyph, toneText } from '../../ui/tone.tsx';

/** The routing plan beside the agents that were started, with each mismatch as an entry of its own. */
export function PlanTab({ view }: { view: SessionView }) {
	const say = useSay();
	const named = new Set(view.mismatches.map(({ actual }) => actual));
	const { phases, unplanned } = planAgainstReality(view, say);
	const others = view.plan ? unplanned.flatMap(({ agents }) => agents).filter(({ name }) => !named.has(name)) : [];
	const unexpected = view.mismatches.length + others.length;
	return (
		<section aria-label={say('Plan')} className="min-h-0 flex-1 overflow-y-auto p-4 *:mx-auto *:max-w-5xl">
			{view.plan ? <PlanTable {...{ plan: view.plan, phases, unexpected }} /> : <NoPlan agents={view.agents} />}
			{unexpected > 0 && (
				<Part title={say('Not in the plan')} className="pt-6">
					<ol aria-label={say('Mismatches')} className="border-line border-t">
						{view.mismatches.map((mismatch) => (
							<MismatchItem key={mismatch.seq} mismatch={mismatch} />
						))}
						{others.map((agent) => (
							<li key={agent.agentId}>
								<TaskRow agent={agent} />
							</li>
						))}
					</ol>
				</Part>
			)}
		</section>
	);
}

function NoPlan({ agents }: Pick<SessionView, 'agents'>) {
	const say = useSay();
	const text = planText(agents);
	return (
		<div>
			<h2 className="font-semibold text-page">{say('This session has no routing plan')}</h2>
			<Fold title={say('Show an example')} className="pt-2">
				<p className="pb-2">
					{say('A plan says which sub-agents may run. Any other is held until you approve or deny it.')}{' '}
					<Phrase
						of="Save this plan as {file} in the project, and change it as you like:"
						with={{ file: <code className="font-mono text-mono">{PLAN_FILE}</code> }}
					/>
				</p>
				<div className="relative max-w-[40rem] rounded border border-line bg-raised p-3">
					<span className="absolute top-2 right-2">
						<CopyButton label={say('Copy')} text={() => text} />
					</span>
					<AgentText block>{text}</AgentText>
				</div>
			</Fold>
		</div>
	);
}

interface PlanTableProps {
	plan: NonNullable<SessionView['plan']>;
	phases: ReturnType<typeof planAgainstReality>['phases'];
	unexpected: number;
}

function PlanTable({ plan, phases, unexpected }: PlanTableProps) {
	const say = useSay();
	const planned = phases.flatMap(({ sides }) => sides.filter(({ task }) => task));
	const isEnded = (agents: readonly AgentView[]) => agents.length > 0 && !agents.some(isAgentOpen);
	const done = planned.filter(({ agents, task }) => isEnded(agents) || task?.status === 'completed').length;
	// Nobody writes the end of a plan into its file: "in progress" beside "2 of 2 tasks done" would contradict.
	const status = done < planned.length && say.known(plan.status.replaceAll('_', ' '));
	return (
		<>
			<h2
				className="flex flex-wrap items-baseline gap-x-4 pb-3 font-semibold text-page"
				title={visibleString(plan.planId)}
			>
				{say('{done} of {total} tasks done', { done, total: planned.length })}
				{unexpected > 0 && <Toned tone="warn">{say('{count} not in the plan', { count: unexpected })}</Toned>}
				<AgentText className="font-normal text-muted text-ui empty:hidden">
					{status || (unexpected === 0 ? say('nothing else ran') : '')}
				</AgentText>
			</h2>
			<ol aria-label={say('Planned')}>
				{phases.map(({ name, sides }) => (
					<li key={name} className="flex gap-x-4 border-line border-t py-1 max-md:flex-col">
						<AgentText className="w-28 shrink-0 py-1 text-muted">{name}</AgentText>
						<ol className="min-w-0 flex-1">
							{sides.map(({ key, task, agents }) => (
								<li key={key} className="[overflow-wrap:anywhere]">
									{agents.map((agent) => (
										<TaskRow key={agent.agentId} agent={agent} task={task} />
									))}
									{agents.length === 0 && <TaskRow task={task} />}
								</li>
							))}
						</ol>
					</li>
				))}
			</ol>
		</>
	);
}

const PLAN_FILE = '.vibe-engine/routing-state.json';

/** Content of a new plan file that expects these agents; with `developer` as an example if there are none. */
function planText(agents: SessionView['agents']): string {
	const names = [...new Set(agents.map(({ name }) => name))];
	const tasks = (names.length > 0 ? names : ['developer']).map((agent, index) => ({
		...{ id: `t${index + 1}`, agent, description: 'What this agent has to do, in one sentence', status: 'pending' },
	}));
	const plan = { planId: 'plan-1', status: 'pending', phases: [{ phase: 1, tasks }] };
	return `${JSON.stringify(plan, null, 2)}\n`;
}

const ROW = 'flex flex-wrap items-baseline gap-x-3 py-1';
const TIME = 'w-16 text-right text-muted tabular-nums';

function MismatchItem({ mismatch }: { mismatch: MismatchView }) {
	const say = useSay();
	const { at, actual, expected, toolUseId, approval, grant, outcome } = mismatch;
	const { word } = outcomeLooks[outcome];
	const who = approval?.by ?? grant?.by;
	return (
		<li
			className={cn(ROW, 'border-line border-b')}
			title={visibleString(say('the plan expects {agents}', { agents: expected.join(', ') }))}
		>
			<Toned tone={outcome === 'stopped' ? 'err' : 'warn'} className="font-medium">
				<AgentText>{actual}</AgentText> {say(outcome === 'stopped' ? 'denied' : word)}
			</Toned>
			<span title={who && deciderWords(who, say)}>
				{approval && approval.state !== 'waiting' && <AgentText>{decisionWords(approval, say)}</AgentText>}
				{grant && <AgentText>{grantWords(grant, say)}</AgentText>}
			</span>
			<span className="ml-auto">{toolUseId && <RowButton row={`call:${toolUseId}`}>{say('Show')}</RowButton>}</span>
			<time dateTime={at} className={TIME}>
				{clockTime(at)}
			</time>
		</li>
	);
}

/** A task, or an agent that was started for one or for none. */
function TaskRow({ agent, task }: { agent?: AgentView; task?: PlanSide['task'] }) {
	const say = useSay();
	const status = task?.status.replaceAll('_', ' ') ?? '';
	const planned = { word: status === 'pending' ? say('not started') : status, tone: notDone.get(status) ?? 'plain' };
	// The plan's file knows of a failure that the agent's own end does not show.
	const { word, tone } = agent && !notDone.has(status) ? agentEnd(agent) : planned;
	const { startedAt, endedAt, closed } = agent ?? {};
	return (
		<div className={ROW}>
			<span>
				<ToneGlyph tone={tone} />
				<AgentText className="font-medium">{agent?.name ?? task?.agent ?? ''}</AgentText>{' '}
				<AgentText className="text-muted">{task?.description ?? ''}</AgentText>
			</span>
			<AgentText className={word === 'done' ? 'sr-only' : toneText[tone]}>{say.known(word)}</AgentText>
			<span className="ml-auto text-muted tabular-nums">
				<LiveDuration from={startedAt} to={endedAt ?? closed?.at} />
			</span>
			<time className={TIME}>{startedAt ? clockTime(startedAt) : ''}</time>
		</div>
	);
}

function agentEnd({ error, result, endedAt, closed, starts, ends }: AgentView): { word: string; tone: Tone } {
	if (error) return { word: 'failed', tone: 'err' };
	if (endedAt && ends >= starts) return { word: result ?? 'done', tone: resultTone(result, 'ok') };
	return closed ? { word: 'no end seen', tone: 'warn' } : { word: 'running', tone: 'run' };
}

const notDone: ReadonlyMap<string, Tone> = new Map([
	['failed', 'err'],
	['skipped', 'warn'],
	['cancelled', 'warn'],
]);
