import type { Plain } from '#lib/messages/say.ts';
import { type WorkflowPart, workflowProgress } from '#lib/session/workflow-progress.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { ActionDialog } from '../../ui/dialog/action-dialog.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { useWorkflowAction } from './use-workflow-action.ts';

interface StopWorkflowProps {
	view: WorkflowPart;
	action: 'stop' | 'stop-loop';
	onClose: () => void;
}

const looks: Record<StopWorkflowProps['action'], { title: Plain; button: Plain; means: Plain }> = {
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
	const say = useSay();
	const { act, isBusy, refusal } = useWorkflowAction(view.sessionId);
	const { done, total } = workflowProgress(view);
	const { title, button, means } = looks[action];
	return (
		<ActionDialog
			title={say(title)}
			action={say(button)}
			kind="danger"
			disabled={isBusy}
			refusal={refusal}
			onAct={() => void act({ action }).then((isDone) => isDone && onClose())}
			onClose={onClose}
		>
			<p>
				<Phrase
					of="{workflow}, {done} of {total} stages done."
					with={{
						workflow: <AgentText className="font-semibold">{view.workflow?.workflowType ?? ''}</AgentText>,
						done,
						total,
					}}
				/>
			</p>
			<p>{say(means)}</p>
		</ActionDialog>
	);
}
