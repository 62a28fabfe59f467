'use client';
import Link from 'next/link';
import { useSay } from '#components/language/use-say.ts';

export default function NotFound() {
	const say = useSay();
	return (
		<div className="mx-auto max-w-xl p-8">
			<h1 className="font-semibold text-title">{say('There is nothing here')}</h1>
			<p className="mt-2 text-muted">{say('The address belongs to no page of Signalbox.')}</p>
			<Link href="/" className="mt-4 inline-block text-accent underline">
				{say('All sessions')}
			</Link>
		</div>
	);
}
