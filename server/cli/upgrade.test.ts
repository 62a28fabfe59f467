import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createInitRig, putFile } from '../testing/init-rig.ts';
import { openDatabase } from '../timeline/store/open-database.ts';
import { openSqlite } from '../timeline/store/sqlite-file.ts';
import { openSqliteIndex } from '../timeline/store/sqlite-index.ts';

test('R2435 upgrade --check says what of a home is older, newer or of another version, and changes nothing', async () => {
	const rig = createInitRig();
	const home = join(rig.root, '.overtone');
	const check = async () => {
		rig.out.length = 0;
		rig.err.length = 0;
		const code = await rig.run(['upgrade', '--check']);
		return { code, said: [...rig.out.slice(1), ...rig.err].join('\n') };
	};
	expect(await check()).toMatchObject({ code: 0, said: expect.stringMatching(/journal +not there yet/) });

	openSqlite(join(home, 'journal.db'), 'FULL', 'journal').close();
	openSqliteIndex(join(home, 'index.db')).close();
	putFile(join(rig.root, 'dist/signalbox.js'), '');
	expect(await rig.run(['init', '--project', rig.project])).toBe(0);
	const same = await check();
	expect(same).toEqual({
		code: 0,
		said: expect.stringMatching(/up to date.*\n.*up to date.*\n.*up to date/),
	});

	putFile(join(home, 'bin/hook.cjs'), '// of before\n');
	expect(await check()).toMatchObject({ code: 1, said: expect.stringContaining('of another version: hook.cjs') });
	const journal = openDatabase(join(home, 'journal.db'));
	journal.exec('UPDATE __drizzle_migrations SET created_at = 1');
	expect((await check()).said).toMatch(/journal +older/);
	journal.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)");
	expect(await check()).toMatchObject({ code: 1, said: expect.stringContaining('use that version') });
	journal.close();
	rmSync(join(home, 'bin'), { recursive: true });
	expect((await check()).said).toContain('not installed');
});
