'use client';
import { type WorkflowPart, workflowProgress } from '#lib/session/workflow-progress.ts';
import { Dialog } from '../dialog/dialog.tsx';
import { DialogFoot } from '../dialog/dialog-foot.tsx';
import { AgentText } from '../text/agent-text.tsx';
import { Button } from '../ui/button.tsx';
import { useWorkflowAction } from './use-workflow-action.ts';

interface StopWorkflowProps {
	view: WorkflowPart;
	action: 'stop' | 'stop-loop';
	onClose: () => void;
}

const looks: Record<StopWorkflowProps['action'], { title: string; button: string; means: string }> = {
	stop: {
		title: 'Stop this workflow?',
		button: 'Stop workflow',
		means:
			'It ends now, as aborted. Agents that run are not killed, but their stages count no more. It cannot go on; it can be started anew.',
	},
	'stop-loop': {
		title: 'Stop the loop?',
		button: 'Stop loop',
		means:
			'The agent is sent on no more: it may finish its turn, and then the workflow ends as aborted. To let it rest and go on later, pause it instead.',
	},
};

/** The second look before what cannot be undone. */
export function StopWorkflow({ view, action, onClose }: StopWorkflowProps) {
	const { act, isBusy, refusal } = useWorkflowAction(view.sessionId);
	const { done, total } = workflowProgress(view);
	const { title, button, means } = looks[action];
	return (
		<Dialog title={title} open onOpenChange={(stays) => !stays && onClose()}>
			<div className="flex flex-col gap-3 p-4">
				<p>
					<AgentText className="font-semibold">{view.workflow?.workflowType ?? ''}</AgentText>, {done} of {total} stages
					done.
				</p>
				<p>{means}</p>
				<DialogFoot refusal={refusal} onClose={onClose}>
					<Button
						kind="danger"
						disabled={isBusy}
						onClick={() => void act({ action }).then((isDone) => isDone && onClose())}
					>
						{button}
					</Button>
				</DialogFoot>
			</div>
		</Dialog>
	);
}
