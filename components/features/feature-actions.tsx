import dynamic from 'next/dynamic';
import { useState } from 'react';
import type { FeatureAction, FeatureProject, FeatureRecord, FeatureState } from '#lib/contract/archives/features.ts';
import type { Plain } from '#lib/messages/say.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useMayDecide } from '../live/hub.tsx';
import { useAction } from '../live/use-action.ts';
import { Button } from '../ui/button.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { Toned } from '../ui/tone.tsx';

const ActionDialog = dynamic(() => import('../ui/dialog/dialog.tsx').then((module) => module.ActionDialog));

const looks: Record<FeatureAction, { label: Plain; means: Plain }> = {
	pause: { label: 'Pause', means: 'Its folder moves to “paused”. Sessions that work on it are not stopped.' },
	resume: { label: 'Resume', means: 'Its folder moves to “in-progress”.' },
	archive: {
		label: 'Archive',
		means:
			'Its folder moves to the archive, and the timelines of its sessions are kept with it. It cannot be moved back.',
	},
};

const offered: Record<FeatureState, readonly FeatureAction[]> = {
	'in-progress': ['pause', 'archive'],
	paused: ['resume', 'archive'],
	backlog: ['resume', 'archive'],
	archived: [],
};

export function FeatureActions({ feature, onDone }: { feature: FeatureRecord; onDone: () => void }) {
	const say = useSay();
	const { id, name, state, tasks } = feature;
	const [chosen, setAction] = useState<FeatureAction | null>(null);
	const { isBusy, refusal, setRefusal, run } = useAction();
	const open = tasks.total - tasks.done;
	const labelOf = (action: FeatureAction) =>
		say(state === 'backlog' && action === 'resume' ? 'Start' : looks[action].label);

	async function act(action: FeatureAction) {
		const answer = await run(callRoute('POST /api/features/:id', { params: { id }, body: { action } }));
		if (!answer.ok) return;
		setAction(null);
		onDone();
	}

	return (
		<div className="flex gap-2">
			{offered[state].map((action) => (
				<Button
					key={action}
					size="small"
					kind={action === 'archive' ? 'quiet' : 'plain'}
					aria-label={visibleString(`${labelOf(action)} ${name}`)}
					onClick={() => {
						setRefusal(null);
						setAction(action);
					}}
				>
					{labelOf(action)}
				</Button>
			))}
			{chosen && (
				<ActionDialog
					title={say('{action} this feature?', { action: labelOf(chosen) })}
					action={labelOf(chosen)}
					disabled={isBusy}
					refusal={refusal}
					onAct={() => void act(chosen)}
					onClose={() => setAction(null)}
				>
					<p>
						<AgentText className="font-semibold">{name}</AgentText>: {say(looks[chosen].means)}
					</p>
					{chosen === 'archive' && open > 0 && (
						<Toned tone="warn" as="p">
							{say('{open} of its tasks {open:is|are} not done.', { open })}
						</Toned>
					)}
				</ActionDialog>
			)}
		</div>
	);
}

const NewFeature = dynamic(() => import('./new-feature.tsx').then((module) => module.NewFeature));

/** Opens the form for a new feature. Hidden for viewers and without projects. */
export function NewFeatureButton({ projects, onDone }: { projects: readonly FeatureProject[]; onDone: () => void }) {
	const say = useSay();
	const [isOpen, setOpen] = useState(false);
	const mayAct = useMayDecide();
	if (!mayAct || projects.length === 0) return null;
	return (
		<>
			<Button size="small" onClick={() => setOpen(true)}>
				{say('New feature')}
			</Button>
			{isOpen && <NewFeature projects={projects} onClose={() => setOpen(false)} onDone={onDone} />}
		</>
	);
}
