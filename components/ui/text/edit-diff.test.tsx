import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { editsOfCall } from '#lib/agents/file-edits.ts';
import { EditDiff } from './edit-diff.tsx';
import { TerminalText } from './payload.tsx';

const ESC = String.fromCharCode(27);

function diffOf(tool: string, input: unknown): string {
	const [edit] = editsOfCall({ tool, input });
	return edit ? renderToStaticMarkup(<EditDiff edit={edit} />).replaceAll(/<[^>]*>/g, '|') : '';
}

test('an edit and a new file are shown as what came and went, and any other call is none', () => {
	const edit = diffOf('Edit', { file_path: '/p/a.ts', old_string: 'one\ntwo\n', new_string: 'one\nthree\n' });
	expect(edit).toMatch(/\+1.*−1.*one.*removed: .*two.*added: .*three/);
	expect(diffOf('Write', { file_path: '/p/a.ts', content: 'x\ny' })).toContain('+2');
	const pieces = [
		{ old_string: 'a', new_string: 'b' },
		{ old_string: { blob: 'f' }, new_string: '' },
	];
	expect(diffOf('MultiEdit', { file_path: '/p/a.ts', edits: pieces })).toContain('too large');
	expect(diffOf('Bash', { command: 'ls' })).toBe('');
	expect(diffOf('Edit', { file_path: 7 })).toBe('');
});

test('writes of other clients are shown, too: under their own names, and as a patch of several files', () => {
	const editsOf = (tool: string, input: unknown) => editsOfCall({ tool, does: 'edit-file', input });
	const one = [{ path: '/p/a.ts', pieces: [{ from: 'a', to: 'b' }], isCut: false }];
	expect(editsOf('edit', { filePath: '/p/a.ts', oldString: 'a', newString: 'b' })).toEqual(one);
	expect(editsOf('edit', { path: '/p/a.ts', old_str: 'a', new_str: 'b' })).toEqual(one);
	expect(editsOf('create', { path: '/p/a.ts', file_text: 'x' })).toMatchObject([{ pieces: [{ from: '', to: 'x' }] }]);
	const command = '*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** Add File: b.ts\n+new\n*** End Patch\n';
	expect(editsOf('apply_patch', { command })).toEqual([
		{ path: 'a.ts', pieces: [{ from: 'one', to: 'two', all: false }], isCut: false },
		{ path: 'b.ts', pieces: [{ from: '', to: 'new\n' }], isCut: false },
	]);
	expect(editsOf('apply_patch', { command: { blob: 'f' } })).toEqual([]);
});

test('text of agents stays text in a diff and in a terminal: unseen characters are chips, tags are words', () => {
	const hostile = '<img src=x onerror=alert(1)>\u202e\u200b';
	const [edit] = editsOfCall({ tool: 'Write', input: { file_path: hostile, content: hostile } });
	if (!edit) throw new Error('it is an edit');
	for (const html of [
		renderToStaticMarkup(<EditDiff edit={edit} />),
		renderToStaticMarkup(<TerminalText>{`${ESC}[31m${hostile}${ESC}[0m${ESC}[2J`}</TerminalText>),
	]) {
		expect(html).not.toContain('<img');
		expect(html).toContain('RLO U+202E');
		expect(html).toContain('ZWSP U+200B');
	}
	const terminal = renderToStaticMarkup(<TerminalText>{`${ESC}[31mred${ESC}[0m${ESC}[2J`}</TerminalText>);
	expect(terminal).toContain('text-err');
	expect(terminal).toContain('ESC U+001B');
});
