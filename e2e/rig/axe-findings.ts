import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules whose findings follow from colours; no other rule's do. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds on a page as it stands, one line a finding: by all rules, by some alone, or by all but some. Without
 * motion: axe would see the colours between two themes.
 */
export async function axeFindings(
	page: Page,
	{ only, without = [] }: { only?: string[]; without?: string[] } = {},
): Promise<string[]> {
	await page.emulateMedia({ reducedMotion: 'reduce' });
	if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE);
	const options: axe.RunOptions = {
		// What passes is not asked for: writing it down takes longer than looking for it.
		resultTypes: ['violations'],
		...(only && { runOnly: { type: 'rule', values: only } }),
		rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
	};
	const { violations } = await page.evaluate(
		(asked) => (window as unknown as { axe: typeof axe }).axe.run(document, asked),
		options,
	);
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
	);
}

/** What axe finds in the dark theme, and what the light one changes. */
export async function findingsInBothThemes(page: Page): Promise<string[]> {
	await page.emulateMedia({ colorScheme: 'dark' });
	const dark = await axeFindings(page);
	await page.emulateMedia({ colorScheme: 'light' });
	return [...dark, ...(await axeFindings(page, { only: COLOUR_RULES }))];
}
