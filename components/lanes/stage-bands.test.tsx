import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { timeScale } from '#lib/timeline/time-scale.ts';
import { StageBands, stageBands } from './plan-rows.tsx';

/** Visible content of a stage run in a band of the given width (px). */
function shownIn(px: number, result: string): string {
	const to = px * 100;
	const scale = timeScale([{ from: 0, to }], px, 0);
	const { bands } = stageBands([{ stage: 'PLAN', from: 0, to, result }], { from: 0, to }, to);
	const drawn = renderToStaticMarkup(<StageBands bands={bands} scale={scale} height={22} />);
	return drawn.replace(/<(\w+)[^>]*sr-only[^>]*>.*?<\/\1>/g, '').replace(/<[^>]*>/g, '');
}

test('a band too narrow for sign and name shows the name of what passed, and the sign of what did not', () => {
	expect(shownIn(120, 'pass')).toContain('✓ PLAN');
	expect(shownIn(42, 'pass').trim()).toBe('PLAN');
	expect(shownIn(42, 'fail').trim()).toBe('✕');
	expect(shownIn(30, 'pass').trim()).toBe('✓');
});
