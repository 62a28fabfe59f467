import { expect, test } from 'vitest';
import { pinLooks } from '../../lanes/moment-rows.tsx';
import { toneGlyph } from '../../ui/tone.tsx';
import { markLooks } from './fleet-strip.tsx';

test('what happened to a session has the same sign in the fleet and in lanes, and no two things have one', () => {
	for (const [mark, glyph] of markLooks) expect([mark, glyph]).toEqual([mark, pinLooks[mark].glyph]);
	const glyphs = Object.values(pinLooks).map(({ glyph }) => glyph);
	expect(new Set(glyphs).size).toBe(glyphs.length);
	expect(glyphs).not.toContain(toneGlyph.wait);
});
