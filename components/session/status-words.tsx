import type { SessionStatus } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';

const looks: Record<SessionStatus, { glyph: string; word: Plain; tone: string }> = {
	running: { glyph: '●', word: 'Running', tone: 'text-run' },
	waiting: { glyph: '◆', word: 'Waiting', tone: 'text-wait' },
	idle: { glyph: '○', word: 'Idle', tone: 'text-muted' },
	ended: { glyph: '■', word: 'Ended', tone: 'text-muted' },
	lost: { glyph: '✕', word: 'Lost', tone: 'text-err' },
};

export function StatusWord({ status, className }: { status: SessionStatus; className?: string }) {
	const say = useSay();
	const { glyph, word, tone } = looks[status];
	return (
		<span className={cn('inline-flex items-center gap-1.5 whitespace-nowrap', tone, className)}>
			<span aria-hidden className="w-3 text-center">
				{glyph}
			</span>
			<span>{say(word)}</span>
		</span>
	);
}
