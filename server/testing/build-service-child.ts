import { join } from 'node:path';
import { buildBesideStore } from './build-beside-store.ts';

/** Builds `service-child.ts`, which tests start and kill a thousand times. Gives the program, and how it is removed. */
export async function buildServiceChild(): Promise<{ program: string; remove(): void }> {
	const { folder, remove } = await buildBesideStore([join(import.meta.dirname, 'service-child.ts')]);
	return { program: join(folder, 'service-child.js'), remove };
}
