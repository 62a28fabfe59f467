import fc from 'fast-check';
import { expect, test } from 'vitest';
import { archiveFolderName, isFeatureName, parseArchiveFolder } from './feature-name.ts';
import { newTasksFile, parseTasks, pendingMessage, taskProgress, tickBox, withHeader } from './tasks-file.ts';

const NAME = fc.stringMatching(/^[a-z0-9]{1,12}(-[a-z0-9]{1,12}){0,3}$/);

test.each(['a', 'user-login', '2fa', 'a-1-b', 'x'.repeat(100)])('%j may name a feature', (name) => {
	expect(isFeatureName(name)).toBe(true);
});

test.each([
	...[
		'',
		'-',
		'a-',
		'-a',
		'a--b',
		'A',
		'a_b',
		'a b',
		'a.b',
		'..',
		'.',
		'../x',
		'a/b',
		'a\\b',
		'a\0',
		'a\n',
		'ä',
		'登入',
	],
	...['x'.repeat(101), null, 3, ['a']],
])('%j may not', (name) => {
	expect(isFeatureName(name)).toBe(false);
});

test('R301 an archive folder has its date, and a suffix from the second on; both are read back', () => {
	const now = Date.parse('2026-02-23T23:59:59.999Z');
	expect(archiveFolderName('user-login', now)).toBe('2026-02-23_user-login');
	expect(archiveFolderName('user-login', now, 3)).toBe('2026-02-23_user-login_3');
	fc.assert(
		fc.property(NAME, fc.integer({ min: 1, max: 999 }), (feature, nth) => {
			const folder = archiveFolderName(feature, now, nth);
			expect(parseArchiveFolder(folder)).toEqual({ date: '2026-02-23', feature, nth });
		}),
	);
	for (const other of [
		'x',
		'2026-02-23',
		'2026-13-41_a',
		'2026-02-23_A',
		'2026-02-23_a_1',
		'2026-02-23_a/../b',
		'..',
	]) {
		expect(parseArchiveFolder(other)).toBeNull();
	}
});

const TASKS = [
	'---',
	'feature: user-login',
	'status: in-progress',
	'workflow: "standard"',
	'created: 2026-02-23T14:00:00Z',
	'owner: me  # kept',
	'---',
	'# A title',
	'## Dev Phases',
	'- [ ] not counted',
	'## Tasks',
	'intro',
	'- [x] PLAN',
	'* [ ] DEV',
	'  1. [X] nested',
	'- [] no box',
	'- [ ]',
	'### still inside',
	'+ [ ] TEST ',
	'```md',
	'- [ ] an example',
	'```',
	'## After',
	'- [ ] not counted either',
].join('\n');

test('R302 only the boxes of "## Tasks" count, or of the old "## Stages", or of a file without either', () => {
	const texts = (text: string) => parseTasks(text).boxes.map((box) => `${box.checked ? 'x' : ' '} ${box.text}`);
	expect(texts(TASKS)).toEqual(['x PLAN', '  DEV', 'x nested', '  TEST']);
	expect(texts(TASKS.replaceAll('\n', '\r\n'))).toEqual(texts(TASKS));
	expect(texts('- [ ] a\n## Stages\n- [ ] b\n# End\n- [ ] c')).toEqual(['  b']);
	expect(texts('## Stages\n- [ ] old\n## Tasks\n- [x] new')).toEqual(['x new']);
	expect(texts('- [ ] a\n## Notes\n- [x] b')).toEqual(['  a', 'x b']);
	expect(texts('')).toEqual([]);
	expect(texts('```\n- [ ] a fence that never closes hides nothing')).toHaveLength(1);
	expect(texts('````\n```\n- [ ] inside\n````\n- [ ] a')).toEqual(['  a']);
	expect(parseTasks(TASKS).header).toEqual({
		feature: 'user-login',
		status: 'in-progress',
		workflow: 'standard',
		created: '2026-02-23T14:00:00Z',
	});
});

test('ticking and setting header values keep every other byte', () => {
	const anything = fc.array(
		fc.oneof(fc.string(), fc.constantFrom('- [ ] DEV', '## Tasks', '---', '```', 'a\r', '- [x] DEV')),
	);
	fc.assert(
		fc.property(anything, (lines) => {
			const text = lines.join('\n');
			const open = parseTasks(text).boxes.find((box) => !box.checked && box.text === 'DEV');
			const ticked = tickBox(text, 'DEV');
			expect(ticked).toBe(open ? `${text.slice(0, open.mark)}x${text.slice(open.mark + 1)}` : null);
			if (ticked) expect(parseTasks(ticked).boxes.length).toBe(parseTasks(text).boxes.length);
		}),
	);
	expect(tickBox(TASKS, 'DEV')).toBe(TASKS.replace('* [ ] DEV', '* [x] DEV'));
	expect(tickBox(TASKS, 'TEST')).toBe(TASKS.replace('+ [ ] TEST ', '+ [x] TEST '));
	for (const label of ['PLAN', 'dev', 'DE', 'not counted', 'an example']) expect(tickBox(TASKS, label)).toBeNull();
	const archived = withHeader(TASKS, { status: 'archived', archivedAt: '2026-02-24T00:00:00.000Z' });
	expect(archived).toBe(
		TASKS.replace('status: in-progress', 'status: archived').replace(
			'# kept\n---',
			'# kept\narchivedAt: 2026-02-24T00:00:00.000Z\n---',
		),
	);
	expect(withHeader('\ufeff---\r\nfeature: a\r\n---\r\nx', { status: 'paused' })).toBe(
		'\ufeff---\r\nfeature: a\r\nstatus: paused\r\n---\r\nx',
	);
	expect(withHeader('x\r\ny', { status: 'paused' })).toBe('---\r\nstatus: paused\r\n---\r\n\r\nx\r\ny');
	expect(withHeader('---\nstatus: $&\n---\n', { status: '$&$1' })).toBe('---\nstatus: $&$1\n---\n');
});

test('R302 hostile files are read in time and change no prototype', () => {
	const texts = [
		'---\n'.repeat(50_000),
		'```\n'.repeat(50_000),
		'`'.repeat(200_000),
		'- [ ] a\n'.repeat(50_000),
		'__proto__: 1',
	];
	for (const text of texts) parseTasks(`---\n__proto__: x\nconstructor: y\n---\n${text}`);
	for (let n = 3; n < 400; n++) texts[0] += `\n${'`'.repeat(n)}`;
	parseTasks(texts[0] ?? '');
	expect(({} as Record<string, unknown>).x).toBeUndefined();
});

test('R304 the pending tasks name the feature, done of total, the first five open boxes and how many more', () => {
	const text = newTasksFile({
		feature: 'user-login',
		status: 'in-progress',
		workflow: 'standard',
		created: '2026-02-23T14:00:00.000Z',
		tasks: ['PLAN', 'TEST', 'DEV', 'TEST', 'A', 'B', 'C', 'D\u001b[31m\nE'],
	});
	const { boxes, header } = parseTasks(tickBox(text, 'PLAN') ?? '');
	expect(header).toMatchObject({ feature: 'user-login', status: 'in-progress', workflow: 'standard' });
	const progress = taskProgress(boxes);
	expect(progress).toEqual({ done: 1, total: 7, next: ['TEST', 'DEV', 'A', 'B', 'C'], more: 1 });
	expect(pendingMessage('user-login', progress)).toBe(
		'Feature user-login: 1 of 7 tasks are done. Still open:\n- [ ] TEST\n- [ ] DEV\n- [ ] A\n- [ ] B\n- [ ] C\n... and 1 more',
	);
	expect(pendingMessage('a', taskProgress([]))).toBeNull();
	expect(boxes.at(-1)?.text).toBe('D E');
});
