'use client';
import { isAgentOpen } from '#lib/session/fold-agent.ts';
import type { SessionView } from '#lib/session/view.ts';
import { clockTime } from '#lib/time/clock.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { MismatchItem } from './mismatch-item.tsx';
import { type PlanSide, planAgainstReality } from './plan-sides.ts';
import { StartedAgent } from './started-agent.tsx';
import { TaskStatus } from './task-status.tsx';

/** The routing plan beside what really started; each mismatch is a thing of its own. */
export function PlanTab({ view }: { view: SessionView }) {
	const say = useSay();
	const { plan, mismatches } = view;
	const { phases, unplanned } = planAgainstReality(view, say);
	return (
		<section aria-label={say('Plan')} className="min-h-0 flex-1 overflow-y-auto p-4">
			{plan ? (
				<p className="pb-3 text-muted">
					<Phrase
						of="Plan {plan}, {status}, as of {time}"
						with={{
							plan: <AgentText className="text-text">{plan.planId}</AgentText>,
							status: <AgentText>{say.known(plan.status.replaceAll('_', ' '))}</AgentText>,
							time: clockTime(plan.at),
						}}
					/>
				</p>
			) : (
				<p className="max-w-prose pb-3 text-muted">
					{say(
						'No routing plan was seen in this session. A plan is the file .vibe-engine/routing-state.json of the project; without one no sub-agent is checked against it.',
					)}
				</p>
			)}
			<table className="w-full table-fixed text-left [overflow-wrap:anywhere]">
				<thead>
					<tr className="text-muted text-small">
						{plan && <th className="pb-1 font-normal">{say('Planned')}</th>}
						{plan && <th className="w-24 pr-3 pb-1 text-right font-normal">{say('Status')}</th>}
						<th className={cn('pb-1 font-normal', plan && 'w-2/5 pl-3')}>{say('Started')}</th>
					</tr>
				</thead>
				{phases.map(({ name, sides }) => (
					<tbody key={name}>
						<tr>
							<th colSpan={3} className="border-line border-t pt-2 pb-1 font-semibold">
								<AgentText>{name}</AgentText>
							</th>
						</tr>
						{sides.map((side) => (
							<SideRow key={side.key} side={side} hasPlan />
						))}
					</tbody>
				))}
				{unplanned.length > 0 && (
					<tbody>
						<tr>
							<th colSpan={3} className="border-line border-t pt-2 pb-1 font-semibold">
								{plan ? say('Not in the plan') : say('Agents')}
							</th>
						</tr>
						{unplanned.map((side) => (
							<SideRow key={side.key} side={side} hasPlan={Boolean(plan)} />
						))}
					</tbody>
				)}
			</table>
			<h2 className="pt-6 pb-1 font-semibold">
				{say('Mismatches')} {mismatches.length > 0 && mismatches.length}
			</h2>
			{mismatches.length === 0 ? (
				<p className="text-muted">
					{plan
						? say('None: everything that was asked for is in the plan.')
						: say('None: without a plan nothing departs from it.')}
				</p>
			) : (
				<ol aria-label={say('Mismatches')} className="border-line border-t">
					{mismatches.map((mismatch) => (
						<MismatchItem key={mismatch.seq} mismatch={mismatch} />
					))}
				</ol>
			)}
		</section>
	);
}

/** Whether all agents that started for a task have ended. */
const isEnded = ({ agents }: PlanSide) => agents.length > 0 && !agents.some(isAgentOpen);

/** What was planned stands only beside a plan. */
function SideRow({ side, hasPlan }: { side: PlanSide; hasPlan: boolean }) {
	const say = useSay();
	const { task, agents } = side;
	return (
		<tr className="align-top">
			{hasPlan && (
				<td className="py-1 pr-3">
					{task ? (
						<>
							<AgentText className="font-medium">{task.agent}</AgentText>{' '}
							<AgentText className="text-muted">{task.description ?? ''}</AgentText>
						</>
					) : (
						<span className="text-muted">–</span>
					)}
				</td>
			)}
			{hasPlan && (
				<td className="py-1 pr-3 text-right">{task && <TaskStatus status={task.status} isEnded={isEnded(side)} />}</td>
			)}
			<td className={cn('py-1', hasPlan && 'border-line border-l pl-3')}>
				{agents.length === 0 && <span className="text-muted">{say('not started')}</span>}
				{agents.map((agent) => (
					<StartedAgent key={agent.agentId} agent={agent} />
				))}
			</td>
		</tr>
	);
}
