import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { classOf } from '#lib/commands/shell-class.ts';
import { anyText } from '#lib/text/testing/any-text.ts';
import { RestrictedBashTool, TodoWriteHandler } from './agent-shell.ts';
import { BashRouter } from './bash-router.ts';
import { BashTool } from './bash-tool.ts';
import { cancelable, done } from './command-result.ts';
import { SearchHandler } from './extend/search-handler.ts';
import { SkillHandler } from './extend/skill-handler.ts';
import { allowedFolders } from './files/allowed-folders.ts';
import { EditHandler, ReadHandler, WriteHandler } from './files/file-commands.ts';
import { TaskCommandHandler } from './headless-agent.ts';

let folder: string;
beforeEach(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), 'fuzz-')));
	mkdirSync(join(folder, 'project'));
	mkdirSync(join(folder, 'outside'));
	writeFileSync(join(folder, 'outside/keep'), 'kept');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const word = fc.oneof(
	fc.constantFrom(
		...[
			'read',
			'write',
			'edit',
			'bash',
			'TodoWrite',
			'task:general',
			'task:',
			'skill:list',
			'skill:a:b',
			'mcp:a:b',
			'mcp:',
		],
		...[
			'command:search',
			'rm',
			'..',
			'../outside/keep',
			'./a',
			'a',
			'"a b"',
			"'",
			'"',
			'\\',
			'-p',
			'-d',
			'--all',
			'-h',
		],
		...['--offset', '9', '<<E', '\nE', '{"todos":[]}', '[', '\0', '\u202e', '~', '/', '$(x)', ';', '|', '\t', ''],
	),
	anyText({ maxLength: 6 }),
);
const line = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));

test('random lines through router and restrictions: each is answered, nothing reaches the wrong runner', async () => {
	const project = join(folder, 'project');
	const env = { HOME: folder, TMPDIR: project };
	const folders = allowedFolders({ project, cwd: project, state: join(folder, 'state'), env });
	const native: string[] = [];
	const runner = {
		execute: (command: string) => {
			native.push(command);
			return cancelable(async () => done('ran'));
		},
	};
	const handlers = {
		read: new ReadHandler(folders, env),
		write: new WriteHandler(folders),
		edit: new EditHandler(folders),
		TodoWrite: new TodoWriteHandler(env, () => {}),
		'task:': new TaskCommandHandler({ execute: async () => 'done' }),
		'skill:': new SkillHandler({ project, cwd: project, env }),
		'command:search': new SearchHandler({ project, env }),
	};
	const tool = new BashTool(new BashRouter({ handlers, sandboxManager: runner, getCwd: () => project }));
	const restricted = new RestrictedBashTool(tool, { exclude: ['rm', 'task:'], agentType: 'explore' });
	await fc.assert(
		fc.asyncProperty(line, async (command) => {
			native.length = 0;
			const result = await restricted.call({ command });
			expect(typeof result.output).toBe('string');
			if (native.length > 0) expect(classOf(command)).toBe('native');
			for (const ran of native) expect(ran.trim().split(/\s/)[0]).not.toBe('rm');
		}),
		{ numRuns: 2500 },
	);
	expect(readdirSync(folder).sort()).toEqual(['outside', 'project']);
	expect(readdirSync(join(folder, 'outside'))).toEqual(['keep']);
}, 120_000);
