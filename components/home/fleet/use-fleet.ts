'use client';
import { parseAsNumberLiteral, useQueryState } from 'nuqs';
import { useCallback } from 'react';
import { callRoute } from '../../live/call-route.ts';
import { useAnswer } from '../../live/use-answer.ts';

const AGAIN_MS = 5000;

/** How much time the strip may show, in minutes. */
export const fleetSpans = [15, 60, 240, 1440] as const;

const parser = parseAsNumberLiteral(fleetSpans).withDefault(60).withOptions({ history: 'replace', scroll: false });

/** What sessions did lately, asked for again while the page is in view; for how long stands in the address. */
export function useFleet() {
	const [minutes, setMinutes] = useQueryState('fleet', parser);
	const ask = useCallback(() => callRoute('GET /api/fleet', { query: { minutes } }), [minutes]);
	const { data, error } = useAnswer(ask, AGAIN_MS);
	return { minutes, setMinutes, fleet: data, error };
}
