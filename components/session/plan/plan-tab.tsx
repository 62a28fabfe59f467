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
import { CopyButton } from '../../ui/copy-button.tsx';
import { Part } from '../../ui/part.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { Toned } from '../../ui/tone.tsx';

/** The routing plan beside the agents that were started, with each mismatch as an entry of its own. */
export function PlanTab({ view }: { view: SessionView }) {
	const say = useSay();
	const named = new Set(view.mismatches.map(({ actual }) => actual));
	const { phases, unplanned } = planAgainstReality(view, say);
	const others = view.plan ? unplanned.flatMap(({ agents }) => agents).filter(({ name }) => !named.has(name)) : [];
	const unexpected = view.mismatches.length + others.length;
	return (
		<section aria-label={say('Plan')} className="min-h-0 flex-1 overflow-y-auto p-4 *:max-w-3xl">
			{view.plan ? <PlanTable {...{ plan: view.plan, phases, unexpected }} /> : <NoPlan agents={view.agents} />}
			{unexpected > 0 && (
				<Part title={say('Not in the plan')} className="pt-6">
					<ol aria-label={say('Mismatches')} className="border-line border-t">
						{view.mismatches.map((mismatch) => (
							<MismatchItem key={mismatch.seq} mismatch={mismatch} />
						))}
					</ol>
					{others.map((agent) => (
						<StartedAgent key={agent.agentId} agent={agent} hasName />
					))}
				</Part>
			)}
		</section>
	);
}

function NoPlan({ agents }: Pick<SessionView, 'agents'>) {
	const say = useSay();
	const text = planText(agents);
	return (
		<div className="flex max-w-[40rem] flex-col gap-3">
			<h2 className="font-semibold text-title">{say('This session has no routing plan')}</h2>
			<p className="text-muted">
				{say('A plan says which sub-agents may run. Any other is held until you approve or deny it.')}
			</p>
			<p>
				<Phrase
					of={
						agents.length > 0
							? 'Save this plan with the agents of the session as {file}, and change it as you like:'
							: 'Save this plan as {file} in the project, and change it as you like:'
					}
					with={{ file: <code className="font-mono text-mono">{PLAN_FILE}</code> }}
				/>
			</p>
			<div className="relative rounded border border-line bg-raised p-3">
				<span className="absolute top-2 right-2">
					<CopyButton label={say('Copy')} text={() => text} />
				</span>
				<AgentText block>{text}</AgentText>
			</div>
		</div>
	);
}

type Phases = ReturnType<typeof planAgainstReality>['phases'];

interface PlanTableProps {
	plan: NonNullable<SessionView['plan']>;
	phases: Phases;
	/** Number of agents that the plan did not expect. */
	unexpected: number;
}

function PlanTable({ plan, phases, unexpected }: PlanTableProps) {
	const say = useSay();
	const planned = phases.flatMap(({ sides }) => sides.filter(({ task }) => task));
	const done = planned.filter((side) => isEnded(side) || side.task?.status === 'completed').length;
	// Nobody writes the end of a plan into its file: "in progress" beside "2 of 2 tasks done" would contradict.
	const status = done < planned.length && say.known(plan.status.replaceAll('_', ' '));
	const remarks = [status, unexpected === 0 && say('nothing else ran')].filter(Boolean);
	return (
		<>
			<h2 className="pb-3 font-semibold text-title" title={visibleString(plan.planId)}>
				{say('{done} of {total} tasks done', { done, total: planned.length })}{' '}
				<AgentText className="pl-3 font-normal text-muted text-ui">{remarks.join(' · ')}</AgentText>
			</h2>
			<table className="w-full table-fixed text-left [overflow-wrap:anywhere]">
				<thead>
					<tr className="text-muted text-small">
						<th className="pb-1 font-normal">{say('Planned')}</th>
						<th className="w-1/2 pb-1 pl-3 font-normal">{say('What ran')}</th>
					</tr>
				</thead>
				{phases.map(({ name, sides }) => (
					<tbody key={name}>
						<tr>
							<th colSpan={2} className="border-line border-t pt-2 pb-1 font-semibold">
								<AgentText>{name}</AgentText>
							</th>
						</tr>
						{sides.map((side) => (
							<SideRow key={side.key} side={side} />
						))}
					</tbody>
				))}
			</table>
		</>
	);
}

const PLAN_FILE = '.vibe-engine/routing-state.json';

/** Content of a new plan file that expects these agents; with `developer` as an example if there are none. */
function planText(agents: SessionView['agents']): string {
	const names = [...new Set(agents.map(({ name }) => name))];
	const tasks = (names.length > 0 ? names : ['developer']).map((agent, index) => ({
		...{ id: `t${index + 1}`, agent, description: '', status: 'pending' },
	}));
	const plan = { planId: 'plan-1', status: 'pending', phases: [{ phase: 1, tasks }] };
	return `${JSON.stringify(plan, null, 2)}\n`;
}

const isEnded = ({ agents }: PlanSide) => agents.length > 0 && !agents.some(isAgentOpen);

function SideRow({ side }: { side: PlanSide }) {
	const { task, agents } = side;
	return (
		<tr className="align-top">
			<td className="py-1 pr-3">
				<AgentText className="font-medium">{task?.agent ?? '–'}</AgentText>{' '}
				<AgentText className="text-muted">{task?.description ?? ''}</AgentText>
			</td>
			<td className="border-line border-l py-1 pl-3">
				{agents.map((agent) => (
					<StartedAgent key={agent.agentId} agent={agent} hasName={agent.name !== task?.agent} />
				))}
				{task && <TaskStatus status={task.status} side={side} />}
			</td>
		</tr>
	);
}

function MismatchItem({ mismatch }: { mismatch: MismatchView }) {
	const say = useSay();
	const { at, actual, expected, toolUseId, approval, grant, outcome } = mismatch;
	const { word } = outcomeLooks[outcome];
	const who = approval?.by ?? grant?.by;
	return (
		<li
			className="flex flex-wrap items-center gap-x-3 border-line border-b py-1.5"
			title={visibleString(say('the plan expects {agents}', { agents: expected.join(', ') }))}
		>
			<Toned tone={outcome === 'stopped' ? 'err' : 'warn'} className="font-medium">
				<AgentText>{actual}</AgentText> {say(outcome === 'stopped' ? 'denied' : word)}
			</Toned>
			<span title={who && deciderWords(who, say)}>
				{approval && approval.state !== 'waiting' && <AgentText>{decisionWords(approval, say)}</AgentText>}
				{grant && <AgentText>{grantWords(grant, say)}</AgentText>}
			</span>
			<time dateTime={at} className="ml-auto text-muted">
				{clockTime(at)}
			</time>
			{toolUseId && <RowButton row={`call:${toolUseId}`}>{say('Show')}</RowButton>}
		</li>
	);
}

function StartedAgent({ agent, hasName }: { agent: AgentView; hasName: boolean }) {
	const { name, startedAt, endedAt, closed } = agent;
	const say = useSay();
	const { word, tone } = agentEnd(agent);
	return (
		<div className="flex flex-wrap gap-x-4">
			{hasName && <AgentText className="font-medium">{name}</AgentText>}
			<Toned tone={tone} className="md:w-24">
				<AgentText>{say.known(word)}</AgentText>
			</Toned>
			<span className="ml-auto text-muted">
				<LiveDuration from={startedAt} to={endedAt ?? closed?.at} />
			</span>
			<time className="text-muted">{startedAt ? clockTime(startedAt) : ''}</time>
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

/** What the plan's file says of a task, where what ran does not say it. */
function TaskStatus({ status, side }: { status: string; side: PlanSide }) {
	const say = useSay();
	const tone = notDone.get(status);
	if (tone === undefined && side.agents.length > 0) return null;
	return (
		<Toned tone={tone ?? 'plain'}>
			<AgentText>{status === 'pending' ? say('not started') : say.known(status.replaceAll('_', ' '))}</AgentText>
		</Toned>
	);
}
