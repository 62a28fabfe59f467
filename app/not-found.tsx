import Link from 'next/link';

export default function NotFound() {
	return (
		<div className="mx-auto max-w-xl p-8">
			<h1 className="font-semibold text-title">There is nothing here</h1>
			<p className="mt-2 text-muted">The address belongs to no page of Signalbox.</p>
			<Link href="/" className="mt-4 inline-block text-accent underline">
				All sessions
			</Link>
		</div>
	);
}
