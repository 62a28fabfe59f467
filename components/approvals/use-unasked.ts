'use client';
import { useEffect, useState } from 'react';
import type { UnaskedDenial } from '#lib/contract/denials.ts';
import type { SessionSummary } from '#lib/session/summary.ts';
import { useGrantChanges } from '../grants/grant-changes.ts';
import { getDenials } from '../live/api.ts';
import { useLive } from '../live/store.ts';
import { useAtMostEvery } from '../live/use-at-most-every.ts';

/** A storm of denials is asked about once a second. */
const EVERY_MS = 1000;

/** What was denied without a question, newest first; asked for again whenever a session says something of it. */
export function useUnasked(): readonly UnaskedDenial[] {
	const [denials, setDenials] = useState<readonly UnaskedDenial[]>([]);
	const changes = useGrantChanges();
	const told = useAtMostEvery(
		useLive(({ sessions }) => toldOf(Object.values(sessions ?? {}))),
		EVERY_MS,
	);
	// biome-ignore lint/correctness/useExhaustiveDependencies: both only say when to ask again.
	useEffect(() => {
		let current = true;
		void getDenials().then((answer) => {
			if (current && answer.ok) setDenials(answer.data.denials);
		});
		return () => {
			current = false;
		};
	}, [changes, told]);
	return denials;
}

/** A text that changes with every denial, override, question and end of a session. */
function toldOf(sessions: readonly SessionSummary[]): string {
	const sum = (of: (session: SessionSummary) => number) => sessions.reduce((total, each) => total + of(each), 0);
	return [
		sum(({ counts }) => counts.denials),
		sum(({ counts }) => counts.overrides),
		sum(({ approvals }) => approvals.length),
		sum(({ endedAt }) => Number(endedAt !== undefined)),
	].join(' ');
}
