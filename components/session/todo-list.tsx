import type { Tone } from '#lib/contract/events/event-labels.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneText } from '../ui/tone.ts';

type Todos = NonNullable<SessionView['todos']>;

const looks: Readonly<Record<string, { glyph: string; word: Plain; tone: Tone }>> = {
	pending: { glyph: '○', word: 'pending', tone: 'plain' },
	in_progress: { glyph: '●', word: 'in progress', tone: 'run' },
	completed: { glyph: '✓', word: 'completed', tone: 'ok' },
};

/** The agent's latest todo list, each with its status as glyph and word. */
export function TodoList({ todos }: { todos: Todos }) {
	const say = useSay();
	const keyed = todos.map((todo, at) => ({ ...todo, key: `${at} ${todo.content}` }));
	return (
		<ul aria-label={say('Todos')}>
			{keyed.map(({ key, content, status }) => (
				<li key={key} className="flex gap-2 py-0.5">
					<TodoStatus status={status} />
					<AgentText className="min-w-0 [overflow-wrap:anywhere]">{content}</AgentText>
				</li>
			))}
		</ul>
	);
}

function TodoStatus({ status }: { status: string }) {
	const say = useSay();
	const look = Object.hasOwn(looks, status) ? looks[status] : undefined;
	if (!look) return <AgentText className="w-24 shrink-0 text-muted">{status}</AgentText>;
	return (
		<span className={cn('w-24 shrink-0', toneText[look.tone])}>
			<span aria-hidden className="inline-block w-4">
				{look.glyph}
			</span>
			{say(look.word)}
		</span>
	);
}
