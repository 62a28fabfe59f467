import { useId, useState } from 'react';
import type { WorkflowType } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { FEATURE_NAME_RULE, isFeatureName } from '#lib/features/feature-name.ts';
import type { Plain } from '#lib/messages/say.ts';
import { type WorkflowPart, workflowProgress } from '#lib/session/workflow-progress.ts';
import { groupsOf, stageKeys, workflows } from '#lib/workflow/registry.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { ActionDialog } from '../../ui/dialog/dialog.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useWorkflowAction } from './use-workflow-action.ts';

const TYPES = Object.keys(workflows) as WorkflowType[];

export function StartWorkflow({ sessionId, onClose }: { sessionId: string; onClose: () => void }) {
	const say = useSay();
	const { act, isBusy, refusal } = useWorkflowAction(sessionId);
	const [type, setType] = useState<WorkflowType>('standard');
	const [feature, setFeature] = useState('');
	const hint = useId();
	const name = feature.trim();
	const isNameBad = name !== '' && !isFeatureName(name);

	async function start() {
		if (await act({ action: 'start', type, ...(name !== '' && { feature: name }) })) onClose();
	}

	return (
		<ActionDialog
			title={say('Start a workflow')}
			action={say('Start {type}', { type })}
			disabled={isBusy || isNameBad}
			refusal={refusal}
			onAct={() => void start()}
			onClose={onClose}
		>
			<fieldset className="max-h-[40dvh] overflow-y-auto rounded border border-edge">
				<legend className="sr-only">{say('Workflow')}</legend>
				{TYPES.map((key) => (
					<label
						key={key}
						className="flex items-baseline gap-2 border-line border-b px-2 py-1 last:border-b-0 has-checked:bg-selected hover:bg-hover"
					>
						<input type="radio" name="type" value={key} checked={type === key} onChange={() => setType(key)} />
						<span className="w-28 shrink-0 font-medium">{key}</span>
						<span className="min-w-0 text-muted">{stagesOf(key)}</span>
					</label>
				))}
			</fieldset>
			<TextField
				label={say('Feature (may be left out)')}
				value={feature}
				onWrite={setFeature}
				placeholder="user-login"
				aria-invalid={isNameBad}
				aria-describedby={hint}
			/>
			<p id={hint} className={isNameBad ? 'text-warn' : 'text-muted'}>
				{isNameBad
					? say('A feature is named by {rule}.', { rule: say(FEATURE_NAME_RULE) })
					: say('It is made if it is not there, with a box for each stage.')}
			</p>
		</ActionDialog>
	);
}

/** `DEV › REVIEW ‖ TEST › RETRO`: stages of a parallel group are joined by ‖. */
function stagesOf(type: WorkflowType): string {
	const groups = groupsOf(type);
	const groupAt = (key: string) => groups.find(({ stages }) => stages.includes(key));
	return stageKeys(workflows[type].stages).reduce((line, key, index, keys) => {
		const before = keys[index - 1];
		if (before === undefined) return key;
		const group = groupAt(key);
		return `${line} ${group !== undefined && group === groupAt(before) ? '‖' : '›'} ${key}`;
	}, '');
}

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
			'It ends now, as aborted. Agents that run are not killed, but their stages count no more. It cannot go on; it can be started again.',
	},
	'stop-loop': {
		title: 'Stop the loop?',
		button: 'Stop loop',
		means:
			'The agent is sent on no more: it may finish its turn, and then the workflow ends as aborted. To let it rest and go on later, pause it instead.',
	},
};

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
