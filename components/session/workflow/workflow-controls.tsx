import dynamic from 'next/dynamic';
import { useState } from 'react';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { WorkflowPart } from '#lib/session/workflow-progress.ts';
import { isPaused as isPausedState, isRunning as isRunningState } from '#lib/workflow/workflow-state.ts';
import { useSay } from '../../language/use-say.ts';
import { useMayAct } from '../../live/hub.tsx';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { useWorkflowAction } from './use-workflow-action.ts';

const StartWorkflow = dynamic(() => import('./workflow-dialogs.tsx').then((module) => module.StartWorkflow));
const StopWorkflow = dynamic(() => import('./workflow-dialogs.tsx').then((module) => module.StopWorkflow));

type WorkflowAction = 'start' | 'stop' | 'stop-loop';

type ControlledView = WorkflowPart & Pick<SessionView, 'loop' | 'ended' | 'lost'>;

export function WorkflowControls({ view, isWaiting }: { view: ControlledView; isWaiting: boolean }) {
	const say = useSay();
	const { sessionId, workflow, loop } = view;
	const mayAct = useMayAct('workflow');
	const [chosen, setAction] = useState<WorkflowAction | null>(null);
	const { act, isBusy, refusal, forget } = useWorkflowAction(sessionId);
	const isRunning = isRunningState(workflow);
	const isOver = view.ended !== undefined || view.lost !== undefined;
	if (!mayAct || ((isOver || isWaiting) && !isRunning)) return null;
	const isPaused = isPausedState(workflow);
	// A workflow stopped by a person cannot be resumed.
	const isAborted = workflow?.ended?.how === 'abort' && loop?.reason !== 'stopped';
	const isAtLimit = isAborted || (isRunning && !isPaused && workflow.fatal !== undefined);
	const ask = (what: WorkflowAction) => {
		forget();
		setAction(what);
	};
	return (
		<div className="ml-auto flex shrink-0 items-center gap-2 pointer-coarse:*:h-10! max-md:order-1 max-md:ml-0">
			{isAtLimit && (
				<Button
					size="small"
					kind="primary"
					disabled={isBusy}
					title={say('With the stages that passed; the others are open again')}
					onClick={() => void act({ action: 'resume' })}
				>
					{say('Go on with {workflow}', { workflow: workflow?.workflowType ?? '' })}
				</Button>
			)}
			{isRunning ? (
				<>
					<Button size="small" disabled={isBusy} onClick={() => void act({ action: isPaused ? 'resume' : 'pause' })}>
						{isPaused ? say('Resume') : say('Pause')}
					</Button>
					{loop && !loop.endedAt && (
						<Button size="small" onClick={() => ask('stop-loop')}>
							{say('Stop loop')}
						</Button>
					)}
					<Button size="small" kind="danger" aria-label={say('Stop workflow')} onClick={() => ask('stop')}>
						{say('Stop')}
					</Button>
				</>
			) : (
				<Button size="small" onClick={() => ask('start')}>
					{say('Start workflow')}
				</Button>
			)}
			{chosen === null && <Alert>{refusal}</Alert>}
			{chosen === 'start' && <StartWorkflow sessionId={sessionId} onClose={() => setAction(null)} />}
			{(chosen === 'stop' || chosen === 'stop-loop') && (
				<StopWorkflow view={view} action={chosen} onClose={() => setAction(null)} />
			)}
		</div>
	);
}
