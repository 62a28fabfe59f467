'use client';
import { useState } from 'react';
import { blobRefsIn, withBlobs } from '#lib/contract/events/blob-refs.ts';
import { useSessionSource } from '../../live/session-source.ts';

/** A value whose large parts come on request. */
export interface Blobs {
	/** With the beginning of each part that is not here yet. */
	value: unknown;
	/** Bytes of the parts that are not here yet. */
	missing: number;
	state: 'still' | 'loading' | { failed: string };
	load: () => Promise<void>;
}

/** Reads the large parts of a value of this session. */
export function useBlobs(sessionId: string, value: unknown): Blobs {
	const { getBlob } = useSessionSource();
	const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
	const [state, setState] = useState<Blobs['state']>('still');
	const missing = blobRefsIn(value).filter(({ blob }) => !texts.has(blob));

	async function load(): Promise<void> {
		setState('loading');
		const answers = await Promise.all(missing.map(({ blob }) => getBlob(sessionId, blob)));
		const whole = new Map(texts);
		for (const [at, { blob }] of missing.entries()) {
			const answer = answers[at];
			if (!answer?.ok) return setState({ failed: answer?.message ?? '' });
			whole.set(blob, answer.data);
		}
		setTexts(whole);
		setState('still');
	}
	return {
		value: withBlobs(value, texts),
		missing: missing.reduce((sum, { bytes }) => sum + bytes, 0),
		state,
		load,
	};
}
