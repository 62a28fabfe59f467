'use client';
import type { FeatureProject } from '#lib/contract/archives/features.ts';
import { useSay } from '../language/use-say.ts';
import { useProgram } from '../ui/text/advice.tsx';
import { NewFeatureButton } from './new-feature-button.tsx';

/** How to make the first feature. */
export function EmptyFeatures({ projects, onDone }: { projects: readonly FeatureProject[]; onDone: () => void }) {
	const say = useSay();
	const program = useProgram();
	return (
		<div className="mx-auto max-w-xl p-8">
			<h1 className="font-semibold text-title">{say('No features yet')}</h1>
			<p className="mt-2 text-muted">
				{say('A feature is a folder of documents and tasks that sessions work on. Make one:')}
			</p>
			<pre className="mt-3 whitespace-pre-wrap rounded border border-line bg-raised p-3 font-mono text-mono [overflow-wrap:anywhere]">
				<code>{`${program} feature new NAME`}</code>
			</pre>
			<p className="mt-2 text-muted">
				{say('inside a project that an agent has worked in. Features of projects without a session are not found.')}
			</p>
			<div className="mt-4">
				<NewFeatureButton projects={projects} onDone={onDone} />
			</div>
		</div>
	);
}
