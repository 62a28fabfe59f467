import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type InstalledHook, installHook } from '#hooks-bridge/testing/installed-hook.ts';
import { openDoorKey } from '../door/exchange.ts';

/** An installed hook whose home excludes `rm`, where the fail-closed entry finds it, and the home's key. For tests. */
export async function installClosedHook(): Promise<{ hook: InstalledHook; key: string }> {
	const hook = await installHook();
	symlinkSync(hook.bin, join(hook.home, 'bin'));
	writeFileSync(join(hook.home, 'config.json'), '{"commands":{"exclude":["rm"]}}');
	return { hook, key: openDoorKey(hook.home) };
}
