import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { postHook } from './rig/door.ts';
import { OLD_ARCHIVE, putOldHome, readKept } from './rig/old-home.ts';
import { signalbox } from './rig/signalbox-command.ts';

const answers = JSON.parse(readKept('answers.json'));
/** What was let through by a person counts among the overrides alone today. */
const list = answers.list.map((one: { sessionId: string; counts: object }) =>
	one.sessionId === 'before' ? { ...one, counts: { ...one.counts, denials: 1 } } : one,
);
/** The usual start of a session is not said today. */
const rows = answers.rows.map((row: { title: string }) => ({ ...row, title: row.title.replace('startup · ', '') }));

const verdictsIn = (timeline: string) => timeline.split('"type":"gate:verdict"').length - 1;

test('R1501 the home of an older program is read as it was: list, story, verdicts, decisions, grants and archive', async ({
	ownServer,
	operatorPage,
	project,
	token,
	api,
	hook,
}) => {
	const server = await ownServer();
	await server.stop();
	putOldHome(server.home);
	await server.start();
	expect(server.output()).toContain('is of another version; it is rebuilt from the timelines');
	const operator = await token('operator', server);
	const get = async (path: string) => (await api(path, operator, { server })).json();

	await expect.poll(async () => (await get('/api/sessions')).sessions).toMatchObject(list);
	expect((await get('/api/sessions/before/rows')).rows).toMatchObject(rows);
	expect((await get('/api/approvals')).approvals).toMatchObject(answers.approvals);
	expect((await get('/api/grants')).grants).toMatchObject(answers.grants);
	expect(await signalbox(server.home, ['audit', 'verify'])).toMatch(/^NOT ANCHORED: \d+ rows are as written/);

	// The client asks again for a call that the older program has judged: the answer comes from its own words.
	const timeline = () => readFileSync(join(server.home, 'sessions/before/timeline.jsonl'), 'utf8');
	const before = timeline();
	const lines = before
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line));
	const judged = lines.find(({ gate }) => gate === 'command-policy');
	const called = lines.find(({ type, toolUseId }) => type === 'tool:call' && toolUseId === judged.toolUseId);
	const again = {
		session_id: 'before',
		cwd: server.home,
		hook_event_name: 'PreToolUse',
		tool_name: called.tool,
		tool_use_id: called.toolUseId,
		tool_input: called.input,
	};
	const { body } = await postHook(server.socketPath, again, { 'x-signalbox-request': judged.requestId });
	expect(JSON.parse(body)).toEqual(judged.output);
	expect(verdictsIn(timeline())).toBe(verdictsIn(before));

	const page = await operatorPage('/sessions/before', { server });
	const story = page.getByRole('list', { name: 'Story' });
	await expect(story.getByRole('listitem').filter({ hasText: 'Design it' })).toContainText(
		/approved.*: “the plan is old”/,
	);

	// The project has been moved since; where it is now, its archive is the same.
	const { dir, write } = await project({ name: 'shop', server });
	for (const name of ['manifest.json', 'tasks.md', 'proposal.md']) {
		write(`specs/features/archive/${OLD_ARCHIVE.folder}/${name}`, readKept(name));
	}
	await hook({ session_id: 'now', cwd: dir, hook_event_name: 'UserPromptSubmit', prompt: 'go on' }, { server }).ended;
	// Its duration is counted again, as time of work: until the last event, no longer until it was archived.
	const [{ outcome, ...kept }] = answers.features;
	const features = [{ ...kept, outcome: { ...outcome, durationMs: 36 } }];
	await expect.poll(async () => (await get('/api/features')).features).toMatchObject(features);
	expect(await signalbox(server.home, ['archive', 'verify', OLD_ARCHIVE.id])).toContain('as its manifest says');
	await page.goto(`/features/${OLD_ARCHIVE.id}`);
	await expect(page.getByText('A cart')).toBeVisible();
});
