import { parseAsString, useQueryState } from 'nuqs';
import { useShallow } from 'zustand/react/shallow';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { remembered } from '#lib/session/remembered.ts';
import { useLive } from '../../live/store.ts';

type Sessions = Record<string, SessionSummary>;

const NONE: Sessions = {};

// Every change of the store asks, that of a session's events, too, which changes nothing here.
const makesIn = remembered((sessions: Sessions): readonly string[] =>
	[...new Set(Object.values(sessions).map(({ agent }) => agent))].sort(),
);

/** The makes of agent of the sessions that are known here, by name. */
export function useMakes(): readonly string[] {
	return useLive(useShallow(({ sessions }) => makesIn(sessions ?? NONE)));
}

/** The make that the page's list is narrowed to, null for all; it is in the address, the same on every page. */
export function useMakeParam() {
	return useQueryState('make', parseAsString.withOptions({ history: 'replace', scroll: false }));
}
