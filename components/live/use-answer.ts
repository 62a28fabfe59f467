'use client';
import { useEffect, useState } from 'react';
import type * as z from 'zod';
import { request } from './api.ts';

/**
 * What the API answers at `path`, asked for again every `againMs` while the page is in view. What was known stays when
 * it cannot be asked; `error` says why. `path`, `schema` and `againMs` stay the same for a component's life.
 */
export function useAnswer<Schema extends z.ZodType>(
	path: string,
	schema: Schema,
	againMs: number,
): { data: z.infer<Schema> | null; error: string | null } {
	const [data, setData] = useState<z.infer<Schema> | null>(null);
	const [error, setError] = useState<string | null>(null);
	useEffect(() => {
		let current = true;
		const load = async () => {
			const answer = await request<unknown>(path);
			if (!current) return;
			if (!answer.ok) return setError(answer.message);
			const read = schema.safeParse(answer.data);
			if (read.success) setData(read.data);
			setError(read.success ? null : 'The server is of another version.');
		};
		void load();
		const timer = setInterval(() => document.visibilityState === 'visible' && void load(), againMs);
		return () => {
			current = false;
			clearInterval(timer);
		};
	}, [path, schema, againMs]);
	return { data, error };
}
