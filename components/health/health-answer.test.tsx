import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ServerStatus } from '#lib/contract/health/status.ts';
import { HealthAnswer } from './health-answer.tsx';

const quiet: ServerStatus = {
	...{
		version: '1.0.0',
		startedAt: '2026-01-01T00:00:00.000Z',
		home: '/h',
		port: 1,
		door: true,
		sessions: 0,
		events: 0,
	},
	...{
		building: null,
		hooksPerMinute: 42,
		hooksLastHour: [0, 42],
		hookTimes: { p50: 2, p95: 4 },
		sockets: 1,
		waiting: 0,
		model: null,
		log: [],
	},
	room: { free: 80_000_000_000, total: 100_000_000_000, isLow: false },
	incidents: [],
	channels: [{ name: 'desk', kind: 'webhook', missing: null, last: null }],
	telemetry: { records: 0, rejected: 0, refused: 0, told: 0, inTranscript: 0, waiting: 0, unjoined: 0, callless: 0 },
	projects: [{ project: '/projects/shop', checks: 3, findings: [] }],
};
const shown = (change: Partial<ServerStatus>) =>
	renderToStaticMarkup(<HealthAnswer status={{ ...quiet, ...change }} />)
		.replaceAll(/<[^>]*>/g, ' ')
		.replaceAll(/\s+/g, ' ');

test('Health says first whether all is well; a missing channel is advice, not trouble', () => {
	expect(shown({})).toMatch(/^ ✓ All well Hooks, last minute 42 .*Median answer 2 ms 95 % under 4 ms Free on disk/);
	expect(shown({ channels: [] })).toMatch(/All well .*No one hears of a waiting call while no page is open/);
});

test('an incident that is shown on every page is not called well', () => {
	const at = new Date().toISOString();
	const incidents = [{ code: 'plan/edited', about: 'shop', message: 'The plan was edited.', at, until: at }] as const;
	expect(shown({ incidents: [...incidents] })).toMatch(/^ ▲ 1 thing needs you .*The plan was edited\./);
});

test('each finding that needs a person is below the answer, with its remedy', () => {
	const fix = 'Run `signalbox init --project .` there.';
	const words = shown({
		door: false,
		projects: [
			{
				project: '/projects/shop',
				checks: 3,
				findings: [{ state: 'wrong', name: 'hooks', detail: 'none there', fix }],
			},
			{ project: '/projects/docs', checks: 3, findings: [{ state: 'note', name: 'plan', detail: 'no plan' }] },
		],
	});
	expect(words).toMatch(/^ ▲ 2 things need you /);
	expect(words).toContain('Hooks are not served yet.');
	expect(words).toMatch(/shop : hooks, none there Copy the command that mends it/);
	expect(words).not.toContain('docs');
});
