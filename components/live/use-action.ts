import { useState } from 'react';
import type { Answer } from './call-route.ts';

/** Runs one change at a time: whether it is in progress, and why the last one was refused. */
export function useAction() {
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);
	async function run<Data>(change: Promise<Answer<Data>>, onDone?: (data: Data) => void): Promise<Answer<Data>> {
		setBusy(true);
		setRefusal(null);
		const answer = await change;
		setBusy(false);
		if (answer.ok) onDone?.(answer.data);
		else setRefusal(answer.message);
		return answer;
	}
	return { isBusy, refusal, setRefusal, run };
}
