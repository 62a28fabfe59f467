'use client';
import { useCallback, useEffect, useState } from 'react';
import type { FeatureRecord } from '#lib/contract/features.ts';
import { getFeatures } from './feature-api.ts';

/** Features live in folders that others change, so the list is asked for again this often (ms). */
const AGAIN_MS = 5_000;

/** All features, asked for again while the page is in view. What is on screen stays until a new answer comes. */
export function useFeatures(): { features: FeatureRecord[] | null; error: string | null; reload: () => void } {
	const [features, setFeatures] = useState<FeatureRecord[] | null>(null);
	const [error, setError] = useState<string | null>(null);
	const reload = useCallback(() => {
		void getFeatures().then((answer) => {
			if (answer.ok) setFeatures(answer.data.features);
			setError(answer.ok ? null : answer.message);
		});
	}, []);
	useEffect(() => {
		reload();
		const timer = setInterval(() => document.visibilityState === 'visible' && reload(), AGAIN_MS);
		return () => clearInterval(timer);
	}, [reload]);
	return { features, error, reload };
}
