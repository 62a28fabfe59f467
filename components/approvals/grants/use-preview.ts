'use client';
import { useEffect, useState } from 'react';
import type { GrantPreview, GrantSource } from '#lib/contract/approvals/grants.ts';
import type { GrantScope } from '#lib/contract/events/catalogue/approval.ts';
import { callRoute } from '../../live/call-route.ts';

/** What a grant would reach; the last answer stays while the next one is on its way. Null: not asked yet. */
export function usePreview(source: GrantSource, scope: GrantScope): { preview?: GrantPreview; error?: string } | null {
	const [reach, setReach] = useState<{ preview?: GrantPreview; error?: string } | null>(null);
	const key = JSON.stringify(source);
	useEffect(() => {
		let current = true;
		const query = { ...(JSON.parse(key) as GrantSource), scope };
		void callRoute('GET /api/grants/preview', { query }).then((answer) => {
			if (current) setReach(answer.ok ? answer.data : { error: answer.message });
		});
		return () => {
			current = false;
		};
	}, [key, scope]);
	return reach;
}
