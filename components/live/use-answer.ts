import { useCallback, useEffect, useMemo, useState } from 'react';
import type * as z from 'zod';
import type { AnswerOf, RequestOf, RouteKey } from '#lib/contract/routes/route-table.ts';
import { type Answer, callRoute, callRouteAs, type RouteAnswer } from './call-route.ts';

type Fetch<Data> = () => Promise<Answer<Data>>;

interface AnswerState<Data> {
	data: Data | null;
	error: string | null;
	/** Requests again at once, without waiting for a request in progress. */
	reload: () => void;
}

/**
 * Loads from the server; again every `everyMs` while visible, and for a new `version`, with the data kept meanwhile. Another
 * `ask` clears it, unless `keepsLast`. Late answers to an earlier `ask` are dropped.
 */
export function useAnswer<Data>(
	ask: Fetch<Data> | null,
	everyMs?: number,
	version?: unknown,
	keepsLast = false,
): AnswerState<Data> {
	const [known, setKnown] = useState<{ by: Fetch<Data> | null; data: Data | null; error: string | null }>(NOTHING);
	const [reloads, setReloads] = useState(0);
	// biome-ignore lint/correctness/useExhaustiveDependencies: each reload and version requests again.
	useEffect(() => {
		if (!ask) return;
		let current = true;
		let isBusy = false;
		const load = async () => {
			if (isBusy) return;
			isBusy = true;
			const answer = await ask();
			isBusy = false;
			if (!current) return;
			setKnown((before) => {
				if (answer.ok) return { by: ask, data: answer.data, error: null };
				return { by: ask, data: keepsLast || before.by === ask ? before.data : null, error: answer.message };
			});
		};
		void load();
		const timer = everyMs && setInterval(() => document.visibilityState === 'visible' && void load(), everyMs);
		return () => {
			current = false;
			clearInterval(timer);
		};
	}, [ask, everyMs, reloads, version, keepsLast]);
	const reload = useCallback(() => setReloads((before) => before + 1), []);
	const { data, error } = keepsLast || known.by === ask ? known : NOTHING;
	return { data, error, reload };
}

const NOTHING = { by: null, data: null, error: null };

interface RouteOptions<Data> {
	everyMs?: number | undefined;
	version?: unknown;
	/** Validates the answer if a newer server may send another form. */
	schema?: z.ZodType<Data>;
	keepsLast?: boolean;
}

/** `useAnswer` for a route. Requests are compared by value; null requests nothing. */
export function useRoute<Key extends RouteKey>(
	key: Key,
	request: RequestOf<Key> | null,
	{ everyMs, version, schema, keepsLast }: RouteOptions<AnswerOf<Key>> = {},
): AnswerState<AnswerOf<Key>> {
	const text = JSON.stringify(request);
	const ask = useMemo(() => {
		if (text === 'null') return null;
		const call = callRoute as (key: Key, request: unknown) => Promise<RouteAnswer<Key>>;
		const callAs = callRouteAs as (key: Key, form: typeof schema) => Promise<RouteAnswer<Key>>;
		return () => (schema ? callAs(key, schema) : call(key, JSON.parse(text)));
	}, [key, text, schema]);
	return useAnswer(ask, everyMs, version, keepsLast);
}
