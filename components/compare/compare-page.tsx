'use client';
import dynamic from 'next/dynamic';
import { useCallback } from 'react';
import { useFeatures } from '../features/use-features.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useCompareParams } from './compare-params.ts';
import { LikelyPairs } from './likely-pairs.tsx';
import { RunChooser } from './run-chooser.tsx';

const ComparisonView = dynamic(() => import('./comparison-view.tsx').then((module) => module.ComparisonView));
const TrendView = dynamic(() => import('./trend-view.tsx').then((module) => module.TrendView));

/** Two recorded runs side by side, and the archives of a workflow over time. */
export function ComparePage() {
	const say = useSay();
	const [params, setParams] = useCompareParams();
	const { features, error: unlisted } = useFeatures();
	const { a, b } = params;
	const ask = useCallback(() => callRoute('GET /api/compare', { query: { a: a ?? '', b: b ?? '' } }), [a, b]);
	const isAsked = a !== null && b !== null;
	const { data: found, error, reload } = useAnswer(isAsked ? ask : null);
	return (
		<div className="mx-auto flex max-w-6xl flex-col gap-4 p-4 pb-8">
			<div>
				<h1 className="font-semibold text-title">{say('Compare two runs')}</h1>
				<p className="text-muted">{say('Where they first went apart, what differs, and both stories side by side.')}</p>
			</div>
			<RunChooser
				features={features ?? []}
				chosen={found ? { a: found.a, b: found.b } : null}
				names={{ a, b }}
				onChoose={(change) => void setParams(change)}
			/>
			{unlisted && (
				<p role="alert" className="text-warn">
					{say.known(unlisted)}
				</p>
			)}
			{isAsked && error && (
				<div role="alert">
					<p className="text-warn">{say.known(error)}</p>
					<Button size="small" onClick={reload}>
						{say('Try again')}
					</Button>
					<p className="text-muted">
						{say('Choose the two runs above: archives of one feature, or any two sessions.')}
					</p>
				</div>
			)}
			{isAsked && !error && !found && <Skeleton label={say('The two runs are being read')} />}
			{found && <ComparisonView found={found} params={params} onChange={(change) => void setParams(change)} />}
			{features && (!isAsked || error) && <LikelyPairs features={features} />}
			{features && (
				<TrendView
					features={features}
					workflow={params.workflow ?? found?.b.workflow ?? null}
					onChoose={(workflow) => void setParams({ workflow })}
				/>
			)}
		</div>
	);
}
