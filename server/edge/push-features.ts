import type * as z from 'zod';
import { type EdgeFrameType, type edgeFrames, FEATURES_A_FRAME, type HubFrame } from '#lib/contract/hub/hub-wire.ts';
import { packBody } from './body.ts';
import type { SharedFeatures } from './shared-features.ts';

type Send = <T extends EdgeFrameType>(type: T, header: z.input<(typeof edgeFrames)[T]>, body?: Uint8Array) => void;

/**
 * Tells a hub of archived features during one connection, and gives what it wants of them. Nothing is remembered beyond
 * it: the hub knows what it has, and asks for what is missing.
 */
export function createFeaturePush(features: SharedFeatures, send: Send) {
	const told = new Map<string, { sheet: string; isKept: boolean }>();
	let isLooked = false;
	let looking: Promise<void> | undefined;

	async function look() {
		const found = await features.look();
		const fresh = found.filter(({ id, sheet }) => told.get(id)?.sheet !== sheet);
		for (let at = 0; at < fresh.length; at += FEATURES_A_FRAME)
			send('features', { features: fresh.slice(at, at + FEATURES_A_FRAME) });
		for (const { id, sheet } of fresh) told.set(id, { sheet, isKept: false });
		isLooked = true;
	}

	return {
		/** Tells of those that are new or have changed since. */
		tell(): Promise<void> {
			looking ??= look().finally(() => {
				looking = undefined;
			});
			return looking;
		},
		async give({ feature, digest }: Extract<HubFrame, { type: 'want' }>['header']) {
			// What cannot be read now is not there; the archive is told of again when it changes.
			const found = await features.read(feature, digest).catch(() => undefined);
			if (found) send('blob', { feature, digest, bytes: found.length }, packBody(found));
			else send('blob', { feature, digest, bytes: 0, gone: true });
		},
		kept({ feature, sheet }: Extract<HubFrame, { type: 'kept' }>['header']) {
			if (told.get(feature)?.sheet === sheet) told.set(feature, { sheet, isKept: true });
		},
		/** How many the hub does not have, as far as was looked; at least one before that. */
		behind: () => (isLooked ? [...told.values()].filter(({ isKept }) => !isKept).length : 1),
	};
}
