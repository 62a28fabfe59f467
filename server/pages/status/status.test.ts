import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyView } from '#lib/session/fold.ts';
import { createLog } from '../../process/log.ts';
import { hookEntries } from '../../setup/hook-entries.ts';
import { noteProject } from '../../setup/registered-projects.ts';
import { createPerMinute } from './per-minute.ts';
import { createProjectHealth } from './project-health.ts';
import { createRecentLog } from './recent-log.ts';

test('the last warnings are kept, bounded, printable, and without what was thrown', () => {
	const log = createRecentLog(
		createLog(() => undefined),
		() => 0,
	);
	for (let n = 0; n < 50; n += 1) log.warn(`warning ${n}`, { reason: 'x\u001b[31m\n' });
	log.error('A route failed', new Error('token 123:secret'), { path: '/api' });
	log.info('not kept');
	const [newest, before] = log.recent();
	expect(log.recent()).toHaveLength(20);
	expect(newest).toEqual({ ts: '1970-01-01T00:00:00.000Z', level: 'error', message: 'A route failed · path: /api' });
	expect(before?.message).toMatch(/^warning 49/);
	expect(JSON.stringify(log.recent())).not.toMatch(/secret|\\u001b/);
});

test('hooks are counted over the last 60 seconds and each minute of the last hour, whenever they came', () => {
	fc.assert(
		fc.property(fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 300 }), (pauses) => {
			let clock = 1_000_000;
			const rate = createPerMinute(() => clock, [1, 5, Number.POSITIVE_INFINITY]);
			const seconds = pauses.map((pause) => {
				clock += pause % 3000;
				rate.add([1, 0, 0]);
				return Math.floor(clock / 1000);
			});
			const now = Math.floor(clock / 1000);
			expect(rate.count()).toBe(seconds.filter((second) => second > now - 60).length);
			expect(rate.lastHour().reduce((sum, count) => sum + count, 0)).toBe(
				seconds.filter((second) => second > now - 3600).length,
			);
		}),
	);
});

test('half of the hooks of the last hour were answered within p50, 95 of 100 within p95, those before it forgotten', () => {
	let clock = 1_000_000;
	const rate = createPerMinute(() => clock, [1, 5, 20, Number.POSITIVE_INFINITY]);
	expect(rate.times()).toBeNull();
	expect(rate.add([60, 35, 0, 5])).toBe(100);
	expect(rate.times()).toEqual({ p50: 1, p95: 5 });
	rate.add([0, 0, 0, 100]);
	expect(rate.times()).toEqual({ p50: 20, p95: 20 });
	clock += 3_600_000;
	expect(rate.times()).toBeNull();
});

test('the projects of the newest sessions are looked at as the doctor does', () => {
	const root = mkdtempSync(join(tmpdir(), 'health-'));
	try {
		const project = join(root, 'shop');
		mkdirSync(join(project, '.claude'), { recursive: true });
		writeFileSync(join(project, '.claude/settings.json'), '{"disableAllHooks": true}');
		mkdirSync(join(project, '.vibe-engine'));
		writeFileSync(join(project, '.vibe-engine/routing-state.json'), '{"status":"pending"}');
		const cwds = [project, project, join(root, 'gone'), 'relative'];
		const health = createProjectHealth({
			home: join(root, 'home'),
			views: () => cwds.map((cwd, n) => ({ ...emptyView(`s${n}`), cwd })),
			ports: { projectRootOf: (cwd) => cwd },
			env: { HOME: root, PATH: '' },
			now: () => 0,
		});
		const found = health.all();
		expect(found.map((one) => one.project)).toEqual([project]);
		expect(found[0]?.findings.map(({ name }) => name)).toEqual([
			...['hooks registered', 'hooks enabled', 'routing plan'],
		]);
		expect(health.check(project).findings.map(({ name }) => name)).not.toContain('routing plan');
	} finally {
		rmSync(root, { recursive: true });
	}
});

test('a project is looked at from `init` on, before its first session, until its hooks are gone', () => {
	const root = realpathSync(mkdtempSync(join(tmpdir(), 'health-')));
	const [home, project] = [join(root, 'home'), join(root, 'my proj')];
	const settings = join(project, '.claude/settings.json');
	mkdirSync(join(project, '.claude'), { recursive: true });
	writeFileSync(settings, JSON.stringify({ hooks: hookEntries(120) }));
	let clock = 0;
	const health = createProjectHealth({
		home,
		views: () => [],
		ports: { projectRootOf: (cwd) => cwd },
		env: { HOME: root, PATH: '' },
		now: () => clock,
	});
	const listed = () => health.all().map((one) => one.project);
	expect(listed()).toEqual([]);
	noteProject(home, project, true);
	clock += 2000;
	expect(listed()).toEqual([project]);
	writeFileSync(settings, '{}');
	clock += 2000;
	expect(listed()).toEqual([]);
	rmSync(root, { recursive: true });
});

test('a session in a folder that cannot be asked about keeps no project from being looked at', () => {
	const home = mkdtempSync(join(tmpdir(), 'signalbox-odd-'));
	const views = () =>
		['/p'.padEnd(300, 'p'), '/nul\0', home].map((cwd, index) => ({
			...emptyView(`s${index}`),
			cwd,
			lastAt: `${9 - index}`,
		}));
	const ports = { projectRootOf: (cwd: string) => cwd };
	const health = createProjectHealth({ home, views, ports, env: { HOME: home }, now: Date.now });
	expect(health.roots()).toEqual([home]);
	rmSync(home, { recursive: true });
});
