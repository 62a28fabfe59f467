'use client';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useCallback, useEffect, useState } from 'react';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';
import { featureAddress } from '../row/feature-address.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { FeatureDocuments } from './feature-documents.tsx';
import { FeatureHeader } from './feature-header.tsx';

/** What an open feature's folder and sessions say changes, and its archive is still being kept when it appears (ms). */
const AGAIN_MS = 5_000;

const LiveFeature = dynamic(() => import('./live-feature.tsx').then((module) => module.LiveFeature));
const HubLacks = dynamic(() => import('./hub-lacks.tsx').then((module) => module.HubLacks));
const ReplayPage = dynamic(() => import('../replay/replay-page.tsx').then((module) => module.ReplayPage));

/**
 * One feature: its documents on the left, its sessions on the right, as they work or as they were recorded. A page that is
 * open while the feature is archived stays, and shows its recording from then on.
 */
export function FeaturePage({ featureId }: { featureId: string }) {
	const say = useSay();
	const ask = useCallback(() => callRoute('GET /api/features/:id', { params: { id: featureId } }), [featureId]);
	const [isKept, setKept] = useState(false);
	const { data: detail, error, reload } = useAnswer(ask, isKept ? undefined : AGAIN_MS);
	const id = detail?.feature.id;
	// Its address is that of the archive from now on; the page itself stays as it is.
	useEffect(() => {
		if (id !== undefined && id !== featureId) history.replaceState(null, '', featureAddress(id));
	}, [id, featureId]);
	// The first manifest names the sessions before anything of them has been copied.
	useEffect(() => setKept(detail?.manifest?.sessions.some(({ timelines }) => timelines.length > 0) ?? false), [detail]);
	if (!detail)
		return error === null ? (
			<Skeleton label={say('The feature is loading')} />
		) : (
			<NoFeature message={say.known(error)} />
		);
	const { feature } = detail;
	return (
		<div className="flex flex-col xl:h-full">
			<FeatureHeader feature={feature} onChange={reload} />
			{error && (
				<p role="alert" className="border-line border-b px-4 py-1 text-warn">
					{say('{error} What is shown may be old.', { error: say.known(error) })}
				</p>
			)}
			{detail.imported && (
				<p className="border-line border-b px-4 py-1 text-muted">
					{say(
						'Imported from a file: what people decided in it is as the file tells it. Its digests fit, which shows that the file is whole, not who wrote it; the journal that proves a decision is in the home that it came from. So decisions show as unverified.',
					)}
				</p>
			)}
			{detail.hub && <HubLacks {...detail.hub} />}
			{detail.removedAt !== undefined && (
				<p className="border-line border-b px-4 py-1 text-muted">
					{say('The retention removed its recording on {day}; the documents stay.', {
						day: detail.removedAt.slice(0, 10),
					})}
				</p>
			)}
			<div className="flex min-h-0 flex-1 flex-col xl:flex-row">
				<FeatureDocuments detail={detail} />
				<div className="order-first flex min-w-0 flex-1 flex-col xl:order-none xl:min-h-0">
					{feature.state === 'archived' ? (
						// What was asked of the recording before there was one is asked again.
						<ReplayPage key={`${isKept}`} detail={detail} />
					) : (
						<LiveFeature detail={detail} />
					)}
				</div>
			</div>
		</div>
	);
}

function NoFeature({ message }: { message: string }) {
	const say = useSay();
	return (
		<div className="p-8">
			<h1 className="font-semibold text-title">{say('This feature cannot be shown')}</h1>
			<p className="mt-2 text-muted">
				{say('{message} It may have been moved or archived since; then it has another address.', { message })}
			</p>
			<Link href="/features" className="mt-4 inline-block text-accent underline">
				{say('All features')}
			</Link>
		</div>
	);
}
