'use client';
import { useEffect, useState } from 'react';
import type { GrantRecord } from '#lib/contract/approvals/grants.ts';
import { callRoute } from '../../live/call-route.ts';
import { useLive } from '../../live/store.ts';
import { useGrantChanges } from './grant-changes.ts';

/** The grants that are in `state`; asked for again when one was made, revoked or used. Null: not known yet. */
export function useGrants(state: GrantRecord['state']): GrantRecord[] | null {
	const [grants, setGrants] = useState<GrantRecord[] | null>(null);
	const changes = useGrantChanges();
	const overrides = useLive(({ sessions }) =>
		Object.values(sessions ?? {}).reduce((sum, { counts }) => sum + counts.overrides, 0),
	);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the last two only say when to ask again.
	useEffect(() => {
		let current = true;
		void callRoute('GET /api/grants', { query: { state } }).then((answer) => {
			if (current && answer.ok) setGrants(answer.data.grants);
		});
		return () => {
			current = false;
		};
	}, [state, changes, overrides]);
	return grants;
}
