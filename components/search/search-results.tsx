import { useEffect, useState } from 'react';
import type { SearchAnswer, SearchResult } from '#lib/contract/sessions/session-queries.ts';
import { callRoute } from '../live/call-route.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

/** Tags that a client writes around a report, and marks of Markdown. */
const MARKUP = /<\/?[a-z][^<>]{0,80}>?|\*\*|`+/giu;

/** What was found, around it without markup, but calls as they are. `lead`: most characters before the first match. */
export function MarkedText({ row: { type, text, marks }, lead = text.length }: { row: SearchResult; lead?: number }) {
	const isTool = type.startsWith('tool:');
	const from = Math.max(0, (marks[0]?.[0] ?? 0) - lead);
	const edges = [from, ...marks.flat(), text.length];
	return (
		<span className={`[overflow-wrap:anywhere] ${isTool ? 'font-mono text-mono' : ''}`}>
			{from > 0 && '…'}
			{edges.slice(1).map((to, index) => {
				const part = text.slice(edges[index], to).replaceAll('\n', ' · ');
				if (part === '') return null;
				return index % 2 === 1 ? (
					<mark key={to} className="bg-accent/35 font-semibold text-text">
						<AgentText>{part}</AgentText>
					</mark>
				) : (
					<AgentText key={to}>{isTool ? part : part.replace(MARKUP, '')}</AgentText>
				);
			})}
		</span>
	);
}

/** Results by session, the newest first; of each first the prompts, the oldest first, which say what it was about. */
export function groupBySession(results: readonly SearchResult[]): [first: SearchResult, ...SearchResult[]][] {
	const groups = new Map<string, [SearchResult, ...SearchResult[]]>();
	for (const result of results) {
		const group = groups.get(result.sessionId);
		if (group) group.push(result);
		else groups.set(result.sessionId, [result]);
	}
	const order = ({ type, seq }: SearchResult) => (type === 'prompt:submit' ? seq : Number.POSITIVE_INFINITY);
	const sorted = [...groups.values()].map(([first, ...rest]): [SearchResult, ...SearchResult[]] => {
		const [top = first, ...others] = [first, ...rest].sort((one, other) => (order(one) < order(other) ? -1 : 1));
		return [top, ...others];
	});
	return sorted.sort(([one], [other]) => (one.at < other.at ? 1 : -1));
}

/** Delay (ms) after the last key before a search is sent. */
const PAUSE_MS = 150;

interface Found {
	asked: string;
	results: readonly SearchResult[];
	next: SearchAnswer['next'];
	building: SearchAnswer['building'];
}

const NOTHING: Found = { asked: '', results: [], next: null, building: null };

/** Searches what was said. Earlier results stay until the answer comes (`isLooking`). Only spaces and quotes send no request. */
export function useSearch(q: string, limit: number, client: string | null = null) {
	const query = `${client ?? ''} ${q}`;
	const [found, setFound] = useState(NOTHING);
	const [failed, setFailed] = useState<{ asked: string; message: string } | null>(null);
	const isWorth = /[^\s"]/u.test(q);
	useEffect(() => {
		if (!isWorth) return setFound(NOTHING);
		let current = true;
		const timer = setTimeout(async () => {
			const answer = await callRoute('GET /api/search', { query: { q, limit, make: client ?? undefined } });
			if (!current) return;
			if (answer.ok) setFound({ asked: query, ...answer.data });
			setFailed(answer.ok ? null : { asked: query, message: answer.message });
		}, PAUSE_MS);
		return () => {
			current = false;
			clearTimeout(timer);
		};
	}, [q, client, query, limit, isWorth]);

	const request = { q, limit, make: client ?? undefined };
	async function loadMore() {
		if (found.next === null || found.asked !== query) return;
		const answer = await callRoute('GET /api/search', { query: { ...request, before: found.next } });
		if (!answer.ok) return setFailed({ asked: query, message: answer.message });
		setFound((before) => (before.next === found.next ? joined(before, answer.data) : before));
	}

	const error = failed?.asked === query ? failed.message : null;
	return { ...found, isLooking: isWorth && found.asked !== query && error === null, error, loadMore };
}

/** Removes duplicates: a row may be found again on the next page by an older event. */
function joined(before: Found, { results, next, building }: SearchAnswer): Found {
	const known = new Set(before.results.map(keyOf));
	const all = [...before.results, ...results.filter((row) => !known.has(keyOf(row)))];
	return { ...before, results: all, next, building };
}

const keyOf = ({ sessionId, rowKey }: SearchResult) => `${sessionId} ${rowKey}`;
