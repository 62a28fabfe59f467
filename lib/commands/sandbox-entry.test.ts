import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sandboxEntry, withoutSandboxEntry } from './sandbox-entry.ts';

describe('the line by which a command runs in the sandbox', () => {
	const path = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !/['\p{Cc}\ud800-\udfff]/u.test(text));

	test('returns the line, whatever is in it or around it', () => {
		fc.assert(
			fc.property(fc.string(), path, path, (line, home, project) => {
				const entered = sandboxEntry(line, `/${home}/bin/enter-sandbox.sh`, `/${project}`);
				expect(withoutSandboxEntry(entered ?? '')).toBe(line);
				const quoted = (text: string) => `x && eval '${text.replaceAll("'", "'\"'\"'")}' && pwd -P >| /tmp/cwd`;
				expect(withoutSandboxEntry(quoted(entered ?? ''))).toBe(quoted(line));
			}),
		);
	});

	test('without an entry a text stays as it is, and only the first one is taken out', () => {
		for (const text of ['ls', '/b/enter-sandbox.sh /p; ls', 'x/b/enter-sandbox.sh', '; exit; ls']) {
			expect(withoutSandboxEntry(text)).toBe(text);
		}
		const twice = sandboxEntry(sandboxEntry('ls', '/a/enter-sandbox.sh', '/p') ?? '', '/b/enter-sandbox.sh', '/p');
		expect(withoutSandboxEntry(twice ?? '')).toBe('/a/enter-sandbox.sh /p; exit; ls');
	});

	test.each([`/it's`, '/a\nb', ''])('a path that no quotes can hold gives none: %j', (path) => {
		expect(sandboxEntry('ls', path, '/p')).toBeUndefined();
		expect(sandboxEntry('ls', '/b/enter-sandbox.sh', path)).toBeUndefined();
	});

	test.each([
		'echo ran',
		'# c\necho ran',
		'} ; echo ran; {',
		'\necho ran',
		'f() { echo ran; }; f',
		'echo ran &',
		'<<E\nE\necho ran',
	])('R2603 where the entry is missing, nothing of the line runs: %j', (line) => {
		const entered = sandboxEntry(line, '/no where/enter-sandbox.sh', '/a $(echo ran)/b`c') ?? '';
		for (const shell of ['bash', 'sh']) {
			const { status, stdout } = spawnSync(
				shell,
				['-c', `true && eval '${entered.replaceAll("'", "'\"'\"'")}' && echo ran`],
				{ encoding: 'utf8' },
			);
			expect(status).not.toBe(0);
			expect(stdout).toBe('');
		}
	});
});
