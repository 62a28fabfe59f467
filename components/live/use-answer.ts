import { useCallback, useEffect, useMemo, useState } from 'react';
import type * as z from 'zod';
import type { AnswerOf, RequestOf, RouteKey } from '#lib/contract/routes/route-table.ts';
import { type Answer, callRoute, callRouteAs, type RouteAnswer } from './call-route.ts';

type Ask<Data> = () => Promise<Answer<Data>>;

interface AnswerState<Data> {
	data: Data | null;
	error: string | null;
	/** Asks at once; an answer that is still on its way is not waited for. */
	reload: () => void;
}

/**
 * What the server answers, asked for again every `everyMs` while the page is in view and at each change of `version`; what
 * is known stays meanwhile. With another `ask` nothing is known yet, unless the last answer is kept until the next one, and
 * a late answer to the one before is dropped.
 */
export function useAnswer<Data>(
	ask: Ask<Data> | null,
	everyMs?: number,
	version?: unknown,
	keepsLast = false,
): AnswerState<Data> {
	const [known, setKnown] = useState<{ by: Ask<Data> | null; data: Data | null; error: string | null }>(NOTHING);
	const [reloads, setReloads] = useState(0);
	// biome-ignore lint/correctness/useExhaustiveDependencies: each reload and version asks again.
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
	/** The form that the answer must have, where a newer server may send another one. */
	schema?: z.ZodType<Data>;
	keepsLast?: boolean;
}

/** `useAnswer` of a route; the same request in other objects is the same question, and null asks nothing. */
export function useRoute<Key extends RouteKey>(
	key: Key,
	wish: RequestOf<Key> | null,
	{ everyMs, version, schema, keepsLast }: RouteOptions<AnswerOf<Key>> = {},
): AnswerState<AnswerOf<Key>> {
	const text = JSON.stringify(wish);
	const ask = useMemo(() => {
		if (text === 'null') return null;
		const call = callRoute as (key: Key, wish: unknown) => Promise<RouteAnswer<Key>>;
		const callAs = callRouteAs as (key: Key, form: typeof schema) => Promise<RouteAnswer<Key>>;
		return () => (schema ? callAs(key, schema) : call(key, JSON.parse(text)));
	}, [key, text, schema]);
	return useAnswer(ask, everyMs, version, keepsLast);
}
