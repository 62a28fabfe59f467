import { useEffect, useState } from 'react';
import type { RejudgeAnswer } from '#lib/contract/rules/rejudge.ts';
import { callRoute } from '../../live/call-route.ts';

const MOST_SHOWN = 500;

/** What history has said so far; `next` is null once all of it was asked. */
export interface Rejudging {
	answer: RejudgeAnswer | null;
	error: string | null;
}

/** What is asked: settings as JSON, of which sessions. */
export interface RejudgeWish {
	set: string;
	session?: string;
	project?: string;
}

/** Asks part after part, and adds them up; another wish begins anew. */
export function useRejudge(wish: RejudgeWish | null): Rejudging {
	const key = JSON.stringify(wish);
	const [found, setFound] = useState<Rejudging & { key: string }>({ key, answer: null, error: null });
	useEffect(() => {
		let current = true;
		void askAll(JSON.parse(key) as RejudgeWish | null, (next) => {
			if (current) setFound({ key, ...next });
			return current;
		});
		return () => {
			current = false;
		};
	}, [key]);
	return found.key === key ? found : { answer: null, error: null };
}

async function askAll(wish: RejudgeWish | null, show: (found: Rejudging) => boolean): Promise<void> {
	if (!wish) return;
	let sum: RejudgeAnswer | null = null;
	for (let before: string | undefined; ; ) {
		const answer = await callRoute('GET /api/rejudge', { query: { ...wish, ...(before !== undefined && { before }) } });
		if (!answer.ok) return void show({ answer: sum, error: answer.message });
		sum = added(sum, answer.data);
		if (!show({ answer: sum, error: null }) || answer.data.next === null) return;
		before = answer.data.next;
	}
}

function added(one: RejudgeAnswer | null, other: RejudgeAnswer): RejudgeAnswer {
	if (!one) return other;
	return {
		sessions: one.sessions + other.sessions,
		judged: one.judged + other.judged,
		notJudged: one.notJudged + other.notJudged,
		added: one.added + other.added,
		spared: one.spared + other.spared,
		changed: [...one.changed, ...other.changed].slice(0, MOST_SHOWN),
		next: other.next,
	};
}
