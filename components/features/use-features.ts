'use client';
import { useCallback, useEffect, useState } from 'react';
import type { FeatureProject, FeatureRecord } from '#lib/contract/features.ts';
import { getFeatures } from './feature-api.ts';

/** Features live in folders that others change, so the list is asked for again this often (ms). */
const AGAIN_MS = 5_000;

interface Features {
	features: FeatureRecord[] | null;
	/** Where a new one may be made. */
	projects: FeatureProject[];
	error: string | null;
	reload: () => void;
}

/** All features, asked for again while the page is in view. What is on screen stays until a new answer comes. */
export function useFeatures(): Features {
	const [features, setFeatures] = useState<FeatureRecord[] | null>(null);
	const [projects, setProjects] = useState<FeatureProject[]>([]);
	const [error, setError] = useState<string | null>(null);
	const reload = useCallback(() => {
		void getFeatures().then((answer) => {
			if (answer.ok) {
				setFeatures(answer.data.features);
				setProjects(answer.data.projects);
			}
			setError(answer.ok ? null : answer.message);
		});
	}, []);
	useEffect(() => {
		reload();
		const timer = setInterval(() => document.visibilityState === 'visible' && reload(), AGAIN_MS);
		return () => clearInterval(timer);
	}, [reload]);
	return { features, projects, error, reload };
}
