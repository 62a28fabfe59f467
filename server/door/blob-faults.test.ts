import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { timelinePath } from '#hooks-bridge/disk/overtone-home.ts';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { createTurnPorts, type TurnPorts } from './turn-timelines.ts';

/** What the disk refuses where a blob is written, after a part of it. */
const disk = vi.hoisted(() => ({ code: '' }));
vi.mock('node:fs', async (original) => {
	const fs = await original<typeof import('node:fs')>();
	const writeFileSync: typeof fs.writeFileSync = (path, content, options) => {
		if (disk.code === '' || !String(path).includes('/blobs/')) return fs.writeFileSync(path, content, options);
		fs.writeFileSync(path, String(content).slice(0, 20), options);
		throw Object.assign(new Error(`${disk.code}: the disk refused`), { code: disk.code });
	};
	return { ...fs, writeFileSync };
});

let home: string;
let ports: TurnPorts;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'sbx-blob-faults-'));
	ports = createTurnPorts({ home });
});
afterEach(() => {
	disk.code = '';
	ports.close();
	rmSync(home, { recursive: true });
});

test.each(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'])(
	'R2370 %s: a value that the disk refuses as a blob waits, and is whole beside its line when there is room',
	(code) => {
		const content = 'x'.repeat(200_000);
		const call = {
			...{ session_id: 's1', cwd: home, hook_event_name: 'PreToolUse', tool_name: 'Write', tool_use_id: 't1' },
			tool_input: { file_path: 'a.txt', content },
		};
		disk.code = code;
		respond(JSON.stringify(call), { requestId: 'run-1', profile: 'open', projectDir: home }, ports);
		const blobs = join(home, 'sessions/s1/blobs');
		expect(readdirSync(blobs)).toEqual([]);
		disk.code = '';
		ports.retry();
		const line = readFileSync(timelinePath(home, 's1'), 'utf8')
			.split('\n')
			.find((text) => text.includes('"tool:call"'));
		const [name = ''] = /[0-9a-f]{64}/.exec(JSON.stringify(JSON.parse(line ?? '').input)) ?? [];
		expect(readdirSync(blobs)).toEqual([name]);
		expect(readFileSync(join(blobs, name), 'utf8')).toContain(content);
	},
);
