'use client';
import { PageMessage } from '#components/approvals/approval-line.tsx';
import { useSay } from '#components/language/use-say.ts';

export default function NotFound() {
	const say = useSay();
	return (
		<PageMessage title={say('There is nothing here')} href="/" link={say('All sessions')}>
			<p className="text-muted">{say('The address belongs to no page of Signalbox.')}</p>
		</PageMessage>
	);
}
