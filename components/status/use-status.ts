'use client';
import { useEffect, useState } from 'react';
import { ServerStatus } from '#lib/contract/status.ts';
import { request } from '../live/api.ts';

const AGAIN_MS = 5000;

/** How the server stands, asked for again while the page is in view; what was known stays when it cannot be asked. */
export function useStatus(): { status: ServerStatus | null; error: string | null } {
	const [status, setStatus] = useState<ServerStatus | null>(null);
	const [error, setError] = useState<string | null>(null);
	useEffect(() => {
		let current = true;
		const load = async () => {
			const answer = await request<unknown>('/api/status');
			if (!current) return;
			if (!answer.ok) return setError(answer.message);
			const read = ServerStatus.safeParse(answer.data);
			if (read.success) setStatus(read.data);
			setError(read.success ? null : 'The server is of another version.');
		};
		void load();
		const timer = setInterval(() => document.visibilityState === 'visible' && void load(), AGAIN_MS);
		return () => {
			current = false;
			clearInterval(timer);
		};
	}, []);
	return { status, error };
}
