import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startService } from '../testing/notify-rig.ts';
import { dispatch } from './dispatch.ts';

async function run(notify: unknown, env: Record<string, string> = {}) {
	const home = mkdtempSync(join(tmpdir(), 'sbx-notify-'));
	mkdirSync(home, { recursive: true });
	writeFileSync(join(home, 'config.json'), JSON.stringify({ notify }));
	const [out, err]: [string[], string[]] = [[], []];
	const code = await dispatch(['notify', 'test'], {
		env: { OVERTONE_HOME: home, ...env },
		cwd: home,
		print: (line) => void out.push(line),
		say: (line) => void err.push(line),
	});
	return { code, out, err };
}

test('notify test reports the result of each channel', async () => {
	const good = await startService();
	const bad = await startService(() => ({ status: 401 }));
	const channels = {
		good: { kind: 'webhook', url: good.url },
		bad: { kind: 'ntfy', url: `${bad.url}/t` },
		bot: { kind: 'telegram', chats: [1] },
	};
	const { code, out } = await run({ channels });
	expect(code).toBe(1);
	expect(out).toEqual([
		'good (webhook): sent',
		'bad (ntfy): it answered 401',
		'bot (telegram): TELEGRAM_BOT_TOKEN is not set',
	]);
	expect((await run({ channels: { good: channels.good } }, { SIGNALBOX_PORT: '7001' })).code).toBe(0);
	expect(good.got.map(({ body }) => JSON.parse(body).url)).toEqual([
		'http://signalbox.localhost:7777',
		'http://signalbox.localhost:7001',
	]);
	await good.stop();
	await bad.stop();
});

test('without a channel it says where they are explained', async () => {
	const { code, err } = await run(undefined);
	expect(code).toBe(1);
	expect(err.join()).toContain('notifications.md');
});
