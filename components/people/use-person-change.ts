import { useState } from 'react';
import type { RequestOf } from '#lib/contract/routes/route-table.ts';
import { callRoute } from '../live/call-route.ts';

type RoleWish = RequestOf<'POST /api/hub/people/:id/roles'>['body'];

export function usePersonChange(person: number, onChange: () => void) {
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);
	const params = { id: String(person) };

	async function act(request: ReturnType<typeof callRoute<'POST /api/hub/people/:id'>>): Promise<boolean> {
		setBusy(true);
		setRefusal(null);
		const answer = await request;
		setBusy(false);
		if (answer.ok) onChange();
		else setRefusal(answer.message);
		return answer.ok;
	}

	return {
		isBusy,
		refusal,
		switchTo: (action: 'disable' | 'enable') =>
			act(callRoute('POST /api/hub/people/:id', { params, body: { action } })),
		changeRole: (body: RoleWish) => act(callRoute('POST /api/hub/people/:id/roles', { params, body })),
	};
}
