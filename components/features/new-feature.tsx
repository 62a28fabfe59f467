import { useId, useState } from 'react';
import type { FeatureProject } from '#lib/contract/archives/features.ts';
import { FEATURE_NAME_RULE, isFeatureName } from '#lib/features/feature-name.ts';
import { isWorkflowType, workflows } from '#lib/workflow/registry.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useAction } from '../live/use-action.ts';
import { ActionDialog } from '../ui/dialog/dialog.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';

interface NewFeatureProps {
	projects: readonly FeatureProject[];
	onClose: () => void;
	onDone: () => void;
}

export function NewFeature({ projects, onClose, onDone }: NewFeatureProps) {
	const say = useSay();
	const [project, setProject] = useState(projects[0]?.id ?? '');
	const [name, setName] = useState('');
	const [workflow, setWorkflow] = useState('');
	const [backlog, setBacklog] = useState(false);
	const { isBusy, refusal, run } = useAction();
	const hint = useId();
	const isBad = name !== '' && !isFeatureName(name);
	const canCreate = isFeatureName(name) && project !== '' && !isBusy;

	async function createFeature() {
		const key = isWorkflowType(workflow) ? { workflow } : {};
		const answer = await run(callRoute('POST /api/features', { body: { project, name, backlog, ...key } }));
		if (!answer.ok) return;
		onDone();
		onClose();
	}

	return (
		<ActionDialog
			title={say('New feature')}
			action={say('Make')}
			disabled={!canCreate}
			refusal={refusal}
			onAct={() => void createFeature()}
			onClose={onClose}
		>
			<TextField
				label={say('Name')}
				value={name}
				onWrite={setName}
				placeholder="user-login"
				aria-invalid={isBad}
				aria-describedby={hint}
			/>
			<p id={hint} className={isBad ? 'text-warn' : 'text-muted'}>
				{say('A feature is named by {rule}.', { rule: say(FEATURE_NAME_RULE) })}
			</p>
			<Select
				isNamed
				label={say('Project')}
				value={project}
				onChoose={setProject}
				choices={projects.map(({ id, name: folder, root }) => ({ value: id, label: `${folder} (${root})` }))}
			/>
			<Select
				isNamed
				label={say('Workflow')}
				value={workflow}
				onChoose={setWorkflow}
				choices={[
					{ value: '', label: say('none: tasks are written later') },
					...Object.entries(workflows).map(([value, { label }]) => ({ value, label: `${value}: ${label}` })),
				]}
			/>
			<label className="flex items-center gap-2">
				<input type="checkbox" checked={backlog} onChange={(event) => setBacklog(event.target.checked)} />
				{say('Into the backlog')}
			</label>
		</ActionDialog>
	);
}
