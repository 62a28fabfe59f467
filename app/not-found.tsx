'use client';
import { useSay } from '#components/language/use-say.ts';
import { PageMessage } from '#components/ui/page.tsx';

export default function NotFound() {
	const say = useSay();
	return (
		<PageMessage title={say('There is nothing here')} href="/" link={say('All sessions')}>
			<p className="text-muted">{say('The address belongs to no page of Signalbox.')}</p>
		</PageMessage>
	);
}
