import type { Tone } from '#lib/contract/event-labels.ts';
import { AgentText } from '../text/agent-text.tsx';
import { cn } from '../ui/cn.ts';
import { toneGlyph, toneText } from '../ui/tone.ts';

const tones = new Map<string, Tone>([
	['executing', 'run'],
	['in_progress', 'run'],
	['completed', 'ok'],
	['failed', 'err'],
	['skipped', 'warn'],
]);

/** How the plan's own file says that a task stands, as glyph, word and colour; other words are shown as they are. */
export function TaskStatus({ status, className }: { status: string; className?: string }) {
	const tone = tones.get(status) ?? 'plain';
	return (
		<span className={cn('whitespace-nowrap', toneText[tone], className)}>
			<span aria-hidden>{toneGlyph[tone]} </span>
			<AgentText>{status.replaceAll('_', ' ')}</AgentText>
		</span>
	);
}
