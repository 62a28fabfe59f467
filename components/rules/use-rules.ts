'use client';
import { RuleBook } from '#lib/contract/rules.ts';
import { callRouteAs } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';

/** Settings live in a file and counts grow with every call, so both are asked for again this often (ms). */
const AGAIN_MS = 10_000;
const getRules = () => callRouteAs('GET /api/rules', RuleBook);

/** How gates and rules stand, asked for again while the page is in view. */
export function useRules(): { book: RuleBook | null; error: string | null } {
	const { data, error } = useAnswer(getRules, AGAIN_MS);
	return { book: data, error };
}
