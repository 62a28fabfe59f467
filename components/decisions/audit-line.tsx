import { AuditState } from '#lib/contract/health/audit.ts';
import type { Say } from '#lib/messages/say.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { useRoute } from '../live/use-answer.ts';
import { Advice } from '../ui/text/advice.tsx';

/** Poll interval (ms); the server asks the anchors every minute. */
const REFRESH_MS = 30_000;

/** How well these decisions can be proved, in one line. Reloaded when `decidedAt`, the last decision on the page, changes. */
export function AuditLine({ decidedAt }: { decidedAt?: string | undefined }) {
	const say = useSay();
	const options = { everyMs: REFRESH_MS, version: decidedAt, schema: AuditState };
	const { data: state } = useRoute('GET /api/audit', {}, options);
	if (!state?.head) return null;
	return (
		<p className="text-muted text-small">
			{say('Journal: {count} {count:row|rows}, ', { count: state.head.n })}
			<span className="font-medium">{wordOf(state, say)}</span>
			<Advice>{anchorWords(state, say)}</Advice>
		</p>
	);
}

function wordOf({ anchored }: AuditState, say: Say): string {
	return anchored ? say('anchored at row {row}', { row: String(anchored.n) }) : say('kept on this machine alone');
}

function anchorWords({ head, anchored, caveat, anchors }: AuditState, say: Say): string {
	if (!anchored) {
		return anchors > 0 ? say('; no anchor has taken it yet.') : say('.');
	}
	const later = (head?.n ?? 0) - anchored.n;
	const rest = later > 0 ? say(', {count} later', { count: later }) : '';
	const end = caveat === null ? '' : ` ${say.known(caveat)}`;
	return ` (${visibleString(anchored.place)}, ${clockTime(anchored.ts)})${rest}${say('.')}${end}`;
}
