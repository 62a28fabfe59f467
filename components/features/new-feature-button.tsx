import dynamic from 'next/dynamic';
import { useState } from 'react';
import type { FeatureProject } from '#lib/contract/archives/features.ts';
import { useSay } from '../language/use-say.ts';
import { useMayDecide } from '../live/use-may-decide.ts';
import { Button } from '../ui/button.tsx';

const NewFeature = dynamic(() => import('./new-feature.tsx').then((module) => module.NewFeature));

/** Opens the form for a new feature; viewers, and a home without projects, have none. */
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
