import { expect, it } from 'vitest';
import { readRetention } from '#lib/retention/retention-policy.ts';
import { policySettings } from '#lib/settings/policy-settings.ts';
import { readSettings } from '#lib/settings/settings.ts';
import { allSettings, renderSettingsDoc } from './settings-doc.ts';

it('the reference of the settings says what gates and schemas say', async () => {
	await expect(renderSettingsDoc()).toMatchFileSnapshot('../docs/guide/settings.md');
});

it('each documented key is one that is read, and each that a policy may set is documented', () => {
	const paths = allSettings().map(({ path }) => path);
	expect(new Set(paths).size).toBe(paths.length);
	const config = JSON.stringify(Object.fromEntries(paths.map((path) => [path, null])));
	const problems = [...readSettings(config, undefined).problems, ...readRetention(config).problems];
	expect(problems.filter((problem) => problem.includes('is no setting'))).toEqual([]);
	expect([...policySettings.keys()].filter((path) => !paths.includes(path))).toEqual([]);
});
