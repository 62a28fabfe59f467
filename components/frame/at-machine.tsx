import { useSay } from '../language/use-say.ts';
import { TextLink } from '../ui/text-link.tsx';

/** In the place of a page that a hub does not have. */
export function AtMachine() {
	const say = useSay();
	return (
		<div className="mx-auto max-w-xl p-8">
			<h1 className="font-semibold text-title">{say('This page is at the machine itself')}</h1>
			<p className="mt-2 text-muted">
				{say('Settings, health and comparing belong to each machine: open its own Signalbox there.')}
			</p>
			<TextLink href="/" className="mt-4">
				{say('All sessions')}
			</TextLink>
		</div>
	);
}
