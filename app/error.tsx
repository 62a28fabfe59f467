'use client';
import { useSay } from '#components/language/use-say.ts';
import { Button } from '#components/ui/button.tsx';

export default function ErrorPage({ reset }: { error: Error; reset: () => void }) {
	const say = useSay();
	return (
		<div role="alert" className="p-8">
			<h1 className="font-semibold text-title">{say('This page failed')}</h1>
			<p className="mt-2 mb-4 max-w-prose text-muted">
				{say(
					'The recorded sessions and open approvals are not touched; they live on the server. Try again, or reload the page.',
				)}
			</p>
			<Button onClick={reset}>{say('Try again')}</Button>
		</div>
	);
}
