import type { Tone } from '#lib/contract/events/event-labels.ts';
import { useSay } from '../../language/use-say.ts';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../../ui/tone.ts';

const tones = new Map<string, Tone>([
	['executing', 'run'],
	['in_progress', 'run'],
	['completed', 'ok'],
	['failed', 'err'],
	['skipped', 'warn'],
]);

interface TaskStatusProps {
	status: string;
	/** Its agents have ended: a file that still says that it runs was not written since. */
	isEnded?: boolean;
	className?: string;
}

/** How the plan's own file says that a task stands, as glyph, word and colour; other words are shown as they are. */
export function TaskStatus({ status, isEnded = false, className }: TaskStatusProps) {
	const say = useSay();
	const isBehind = isEnded && tones.get(status) === 'run';
	const tone = isBehind ? 'plain' : (tones.get(status) ?? 'plain');
	return (
		<span className={cn('whitespace-nowrap', toneText[tone], className)}>
			<span aria-hidden>{toneGlyph[tone]} </span>
			<AgentText>{say.known(status.replaceAll('_', ' '))}</AgentText>
			{isBehind && <span className="block text-small">{say('not marked done')}</span>}
		</span>
	);
}
