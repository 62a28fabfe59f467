import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * What axe finds on a page as it stands, one line a finding; with `rules` it looks for those alone. Without motion: axe
 * would see the colours between two themes.
 */
export async function axeFindings(page: Page, rules?: string[]): Promise<string[]> {
	await page.emulateMedia({ reducedMotion: 'reduce' });
	const { violations } = await new AxeBuilder({ page })
		// Our pages hold no frames; only for frames axe needs a second page to put its results together.
		.setLegacyMode()
		// What passes is not asked for: writing it down takes longer than looking for it.
		.options({ resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) })
		.analyze();
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
	);
}
