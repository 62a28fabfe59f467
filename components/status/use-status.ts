'use client';
import { ServerStatus } from '#lib/contract/status.ts';
import { callRouteAs } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';

const AGAIN_MS = 5000;
const getStatus = () => callRouteAs('GET /api/status', ServerStatus);

/** How the server stands, asked for again while the page is in view; what was known stays when it cannot be asked. */
export function useStatus(): { status: ServerStatus | null; error: string | null } {
	const { data, error } = useAnswer(getStatus, AGAIN_MS);
	return { status: data, error };
}
