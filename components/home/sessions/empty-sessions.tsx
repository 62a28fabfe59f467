'use client';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { mayAnywhere } from '#lib/hub/may.ts';
import { useSay } from '../../language/use-say.ts';
import { useHub } from '../../live/hub.tsx';
import { useLive } from '../../live/store.ts';

const FirstSteps = dynamic(() => import('./first-steps.tsx').then((module) => module.FirstSteps));

/** What to do before the first session; it gives way by itself at the first event. */
export function EmptySessions() {
	const say = useSay();
	const isHub = useHub();
	const isLive = useLive((state) => state.connection.state === 'live');
	return (
		<div className="mx-auto max-w-2xl p-8 max-md:p-4">
			<h1 className="font-semibold text-title">{say('No sessions yet')}</h1>
			{isHub ? <NoMachines /> : <FirstSteps />}
			<p role="status" className="mt-6 flex items-center gap-2">
				<span aria-hidden className="text-wait">
					◆
				</span>
				{isLive ? say('Waiting for the first event…') : say('Not connected to the server.')}
			</p>
		</div>
	);
}

function NoMachines() {
	const say = useSay();
	const mayAdd = useLive(({ me }) => mayAnywhere(me?.hub?.roles ?? [], 'edges'));
	return (
		<p className="mt-2 text-muted">
			{say('Sessions of the machines that have joined appear here, and those that they had before.')}{' '}
			{mayAdd ? (
				<Link href="/machines" className="text-accent underline">
					{say('Add a machine')}
				</Link>
			) : (
				say('An admin of a team adds its machines.')
			)}
		</p>
	);
}
