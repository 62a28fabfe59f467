'use client';
import { useCallback, useEffect, useState } from 'react';
import type { GrantRecord } from '#lib/contract/grants.ts';
import { useLive } from '../live/store.ts';
import { getActiveGrants } from './grant-api.ts';

/** The grants that may still be used; asked for again whenever some call was overridden. Null: not known yet. */
export function useActiveGrants(): { grants: GrantRecord[] | null; reload: () => void } {
	const [grants, setGrants] = useState<GrantRecord[] | null>(null);
	const [asked, setAsked] = useState(0);
	const overrides = useLive(({ sessions }) =>
		Object.values(sessions ?? {}).reduce((sum, { counts }) => sum + counts.overrides, 0),
	);
	// biome-ignore lint/correctness/useExhaustiveDependencies: both only say when to ask again.
	useEffect(() => {
		let current = true;
		void getActiveGrants().then((answer) => {
			if (current && answer.ok) setGrants(answer.data.grants);
		});
		return () => {
			current = false;
		};
	}, [asked, overrides]);
	const reload = useCallback(() => setAsked((times) => times + 1), []);
	return { grants, reload };
}
