import { join } from 'node:path';
import { buildBesideStore } from './build-beside-store.ts';

/** Builds `desk-child.ts`, which tests start and kill a thousand times. Gives the program, and how it is removed. */
export async function buildDeskChild(): Promise<{ program: string; remove(): void }> {
	const { folder, remove } = await buildBesideStore([join(import.meta.dirname, 'desk-child.ts')]);
	return { program: join(folder, 'desk-child.js'), remove };
}
