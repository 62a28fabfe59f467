import type { ReactNode } from 'react';
import type { Tone } from '#lib/contract/events/event-labels.ts';
import { cn } from './cn.ts';

/** Text colour of each tone. Never use colour alone: always add a word or a glyph. */
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

interface TonedProps {
	tone: Tone;
	className?: string | undefined;
	as?: 'span' | 'p' | 'strong';
	children: ReactNode;
}

export function ToneGlyph({ tone }: { tone: Tone }) {
	return (
		<span aria-hidden className={toneText[tone]}>
			{toneGlyph[tone]}{' '}
		</span>
	);
}

/** Text in the colour of a tone, after its glyph. */
export function Toned({ tone, className, as: Tag = 'span', children }: TonedProps) {
	return (
		<Tag className={cn(toneText[tone], className)}>
			<span aria-hidden>{toneGlyph[tone]} </span>
			{children}
		</Tag>
	);
}
