import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hubLacks } from '#lib/contract/routes/features.ts';

test('the guide lists what a hub lacks as the table of features has it', () => {
	const guide = readFileSync(join(import.meta.dirname, '..', 'docs', 'guide', 'hub-operate.md'), 'utf8');
	const [, section = ''] = /^## At the machine only\n([^#]*)/m.exec(guide) ?? [];
	const listed = section.match(/^- .*$/gm) ?? [];
	expect(listed).toEqual(hubLacks.map(({ name }) => `- ${name}`));
});
