'use client';
import { useEffect, useState } from 'react';
import { RuleBook } from '#lib/contract/rules.ts';
import { request } from '../live/api.ts';

/** Settings live in a file and counts grow with every call, so both are asked for again this often (ms). */
const AGAIN_MS = 10_000;

/** How gates and rules stand, asked for again while the page is in view. */
export function useRules(): { book: RuleBook | null; error: string | null } {
	const [book, setBook] = useState<RuleBook | null>(null);
	const [error, setError] = useState<string | null>(null);
	useEffect(() => {
		let current = true;
		const load = async () => {
			const answer = await request<unknown>('/api/rules');
			if (!current) return;
			if (!answer.ok) return setError(answer.message);
			const read = RuleBook.safeParse(answer.data);
			if (read.success) setBook(read.data);
			setError(read.success ? null : 'The server is of another version.');
		};
		void load();
		const timer = setInterval(() => document.visibilityState === 'visible' && void load(), AGAIN_MS);
		return () => {
			current = false;
			clearInterval(timer);
		};
	}, []);
	return { book, error };
}
