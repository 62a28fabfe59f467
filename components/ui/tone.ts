import type { Tone } from '#lib/contract/events/event-labels.ts';

/** Text colour of each tone. Colour never stands alone: a word or a glyph is always beside it. */
export const toneText: Record<Tone, string> = {
	run: 'text-run',
	ok: 'text-ok',
	warn: 'text-warn',
	err: 'text-err',
	wait: 'text-wait',
	plain: 'text-muted',
};

export const toneGlyph: Record<Tone, string> = {
	run: '●',
	ok: '✓',
	warn: '▲',
	err: '✕',
	wait: '◆',
	plain: '·',
};
