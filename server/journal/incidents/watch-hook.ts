import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import { HOOK_FILES, type HookFile } from '../../setup/distribution.ts';
import { binFolder, hookFileStates, nodeLink, targetOf } from '../../setup/install-hook.ts';
import type { IncidentLog } from './incident-log.ts';

const FIX = sentence('run {command} for a project of yours, if you did not change it yourself', {
	command: '`signalbox init --project DIR`',
});

/**
 * Each call checks whether the installed hook is unchanged since the server started. A file of this version is never an incident:
 * `signalbox init` may be run at any time.
 */
export function createHookCheck(home: string, incidents: IncidentLog): () => void {
	const names = Object.keys(HOOK_FILES) as HookFile[];
	const pathOf = (name: HookFile) => join(binFolder(home), name);
	const contentOf = (name: HookFile) => {
		const stamp = fileStamp(pathOf(name));
		if (stamp === '') return { stamp, content: '' };
		const { mode } = statSync(pathOf(name));
		const digest = hash('sha256', readFileSync(pathOf(name)));
		return { stamp, content: `${digest} ${mode & 0o111}` };
	};
	const known = new Map(names.map((name) => [name, contentOf(name)]));
	const isOwn = (name: HookFile) => tryTo(() => hookFileStates(home)[name] === 'same') ?? false;

	const checkFile = (name: HookFile) => {
		const before = known.get(name);
		if (before === undefined || fileStamp(pathOf(name)) === before.stamp) return;
		const now = contentOf(name);
		// The first content stays the reference, so a restored hook ends the incident.
		known.set(name, { ...before, stamp: now.stamp });
		const about = pathOf(name);
		if (isOwn(name)) {
			known.set(name, now);
			return incidents.clear('hook/changed', about);
		}
		if (now.content === before.content) return incidents.clear('hook/changed', about);
		const path = about;
		const message =
			now.stamp === ''
				? sentence('{path} was removed: hooks that fail open do nothing now', { path })
				: sentence('{path} was changed: nobody knows what it says now', { path });
		incidents.raise({ code: 'hook/changed', about, message, fix: FIX, isOpen: true });
	};
	const link = nodeLink(home);
	const linked = targetOf(link);
	const checkNode = () => {
		const target = targetOf(link);
		if (target === linked || target === process.execPath) return incidents.clear('hook/changed', link);
		const message =
			target === undefined
				? sentence('{path} was removed: the hook starts any node that stands first in PATH', { path: link })
				: sentence('{path} was changed: nobody knows what it says now', { path: link });
		incidents.raise({ code: 'hook/changed', about: link, message, fix: FIX, isOpen: true });
	};
	return () => {
		for (const name of names) checkFile(name);
		checkNode();
	};
}
