import Link from 'next/link';
import { useSay } from '../language/use-say.ts';

/** In the place of a page that a hub does not have. */
export function AtMachine() {
	const say = useSay();
	return (
		<div className="mx-auto max-w-xl p-8">
			<h1 className="font-semibold text-title">{say('This page is at the machine itself')}</h1>
			<p className="mt-2 text-muted">
				{say('Settings, health and comparing belong to each machine: open its own Signalbox there.')}
			</p>
			<Link href="/" className="mt-4 inline-block text-accent underline">
				{say('All sessions')}
			</Link>
		</div>
	);
}
