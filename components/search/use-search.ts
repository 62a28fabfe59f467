'use client';
import { useEffect, useState } from 'react';
import type { SearchAnswer, SearchResult } from '#lib/contract/search.ts';
import { callRoute } from '../live/call-route.ts';

/** A search is sent once nothing has been typed for so long (ms). */
const PAUSE_MS = 150;

interface Found {
	q: string;
	results: readonly SearchResult[];
	next: SearchAnswer['next'];
	building: SearchAnswer['building'];
}

const NOTHING: Found = { q: '', results: [], next: null, building: null };

/**
 * Where `q` was said. What was found before stays until the answer to the new words has come; `isLooking` says so. A
 * search of nothing but blanks and quotes finds nothing and asks nobody.
 */
export function useSearch(q: string, limit: number) {
	const [found, setFound] = useState(NOTHING);
	const [failed, setFailed] = useState<{ q: string; message: string } | null>(null);
	const isWorth = /[^\s"]/u.test(q);
	useEffect(() => {
		if (!isWorth) return setFound(NOTHING);
		let current = true;
		const timer = setTimeout(async () => {
			const answer = await callRoute('GET /api/search', { query: { q, limit } });
			if (!current) return;
			if (answer.ok) setFound({ q, ...answer.data });
			setFailed(answer.ok ? null : { q, message: answer.message });
		}, PAUSE_MS);
		return () => {
			current = false;
			clearTimeout(timer);
		};
	}, [q, limit, isWorth]);

	async function takeMore() {
		if (found.next === null) return;
		const answer = await callRoute('GET /api/search', { query: { q: found.q, limit, before: found.next } });
		if (!answer.ok) return setFailed({ q: found.q, message: answer.message });
		setFound((before) => (before.next === found.next ? joined(before, answer.data) : before));
	}

	const error = failed?.q === q ? failed.message : null;
	return { ...found, isLooking: isWorth && found.q !== q && error === null, error, takeMore };
}

/** A row may be found again on the next page, by an older of its events. */
function joined(before: Found, { results, next, building }: SearchAnswer): Found {
	const known = new Set(before.results.map(keyOf));
	return {
		...before,
		results: [...before.results, ...results.filter((row) => !known.has(keyOf(row)))],
		next,
		building,
	};
}

const keyOf = ({ sessionId, rowKey }: SearchResult) => `${sessionId} ${rowKey}`;
