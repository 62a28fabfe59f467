'use client';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useCallback } from 'react';
import { callRoute } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';
import { cn } from '../ui/cn.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { FeatureDocuments } from './feature-documents.tsx';
import { FeatureHeader } from './feature-header.tsx';

const ReplayPage = dynamic(() => import('../replay/replay-page.tsx').then((module) => module.ReplayPage));

/** One feature: its documents on the left; of an archived one its recorded sessions on the right. */
export function FeaturePage({ featureId }: { featureId: string }) {
	const ask = useCallback(() => callRoute('GET /api/features/:id', { params: { id: featureId } }), [featureId]);
	const { data: detail, error, reload } = useAnswer(ask);
	if (error !== null) return <NoFeature message={error} />;
	if (!detail) return <Skeleton label="The feature is loading" />;
	const { feature } = detail;
	const isArchived = feature.state === 'archived';
	return (
		<div className={cn('flex flex-col', isArchived ? 'xl:h-full' : 'md:h-full')}>
			<FeatureHeader feature={feature} onChange={reload} />
			<div className={cn('flex min-h-0 flex-1 flex-col', isArchived ? 'xl:flex-row' : 'md:flex-row')}>
				<FeatureDocuments detail={detail} isWide={!isArchived} />
				{isArchived && (
					<div className="order-first flex min-w-0 flex-1 flex-col xl:order-none xl:min-h-0">
						<ReplayPage detail={detail} />
					</div>
				)}
			</div>
		</div>
	);
}

function NoFeature({ message }: { message: string }) {
	return (
		<div className="p-8">
			<h1 className="font-semibold text-title">This feature cannot be shown</h1>
			<p className="mt-2 text-muted">
				{message} It may have been moved or archived since; then it has another address.
			</p>
			<Link href="/features" className="mt-4 inline-block text-accent underline">
				All features
			</Link>
		</div>
	);
}
