import { useSay } from '../language/use-say.ts';
import { PageMessage } from '../ui/page.tsx';

/** Shown for pages that a hub does not have. */
export function AtMachine() {
	const say = useSay();
	return (
		<PageMessage title={say('This page is at the machine itself')} href="/" link={say('All sessions')}>
			<p className="text-muted">
				{say('Settings, health and comparing belong to each machine: open its own Signalbox there.')}
			</p>
		</PageMessage>
	);
}
