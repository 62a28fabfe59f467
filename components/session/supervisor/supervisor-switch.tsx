'use client';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { useSay } from '../../language/use-say.ts';
import { useMayAct } from '../../live/use-may-act.ts';
import { Button } from '../../ui/button.tsx';
import { Advice } from '../../ui/text/advice.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { useSupervisor } from './use-supervisor.ts';

/** Whether the session's supervisor is on and how many reviews are left; an operator switches it here. */
export function SupervisorSwitch({ view }: { view: SessionView }) {
	const say = useSay();
	const mayAct = useMayAct();
	const switches = view.supervisorSwitches ?? 0;
	const { record, refusal, isBusy, act } = useSupervisor(view.sessionId, `${switches} ${view.supervisor.length}`);
	return (
		<div className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-2">
			{record && (
				<p>
					<span className={record.enabled ? 'text-ok' : 'text-muted'}>
						<span aria-hidden>{record.enabled ? '● ' : '○ '}</span>
						{record.enabled ? say('on') : say('off')}
					</span>
					<span className="text-muted">
						{' '}
						· {say('{count} of {max} reviews used', { count: record.count, max: record.max })}
						{record.count >= record.max && say('; the agent may stop unreviewed until the count is reset')}
					</span>
				</p>
			)}
			{record && mayAct && (
				<span className="flex gap-2">
					<Button size="small" disabled={isBusy} onClick={() => void act(record.enabled ? 'off' : 'on')}>
						{record.enabled ? say('Turn off') : say('Turn on')}
					</Button>
					<Button size="small" disabled={isBusy || record.count === 0} onClick={() => void act('reset')}>
						{say('Reset count')}
					</Button>
				</span>
			)}
			{record?.advice !== undefined && (
				<p role="status" className="text-warn [overflow-wrap:anywhere]">
					<Advice>{record.advice}</Advice>
				</p>
			)}
			{refusal && (
				<span role="alert" className="text-warn">
					<AgentText>{say.known(refusal)}</AgentText>
				</span>
			)}
		</div>
	);
}
