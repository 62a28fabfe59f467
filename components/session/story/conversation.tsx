import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { eventFields } from '#lib/session/event-fields.ts';
import { clockTime } from '#lib/time/clock.ts';
import { type ConversationEntry, conversationOf, type StoryFilter, showsRow } from '#lib/timeline/story.ts';
import { useSay } from '../../language/use-say.ts';
import { loadRange, useSession, useSessionSource } from '../../live/session-source.ts';
import { useActorName, useRowEvents } from '../../row/row-hooks.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { LazyMarkdown } from '../../ui/text/lazy-markdown.tsx';

const TURNS = 100;
const NEAR_END = 60;
const NO_ROWS: readonly Row[] = [];

interface ConversationProps {
	sessionId: string;
	filter: StoryFilter;
	selected: string | null;
	onChoose: (key: string) => void;
}

export function Conversation({ sessionId, filter, selected, onChoose }: ConversationProps) {
	const say = useSay();
	const source = useSessionSource();
	const window = useSession(sessionId, (session) => session.window);
	const rows = window?.rows ?? NO_ROWS;
	const turns = useMemo(() => conversationOf(rows.filter((row) => showsRow(row, filter))), [rows, filter]);
	const [most, setMost] = useState(TURNS);
	const box = useRef<HTMLElement>(null);
	// An ended session is read from its prompt on, a live one follows its end.
	const isOver = useSession(sessionId, ({ view }) => (view?.ended ?? view?.lost) !== undefined) ?? false;
	const isAtEnd = useRef(!isOver);
	const shown = turns.slice(-most);
	const hasMore = shown.length < turns.length || window?.hasOlder === true;
	// biome-ignore lint/correctness/useExhaustiveDependencies: scroll to the end after a new turn.
	useLayoutEffect(() => {
		if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
	}, [turns.length]);
	return (
		<section
			ref={box}
			aria-label={say('Conversation')}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
			tabIndex={0}
			className="min-h-0 flex-1 overflow-y-auto px-4 py-3"
			onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
				isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
			}}
		>
			{hasMore && (
				<Button
					size="small"
					onClick={() => {
						setMost(most + TURNS);
						if (shown.length === turns.length) void loadRange(source, 'older');
					}}
				>
					{say('Older')}
				</Button>
			)}
			{turns.length === 0 && <p className="text-muted">{say('Nothing was said yet.')}</p>}
			<ol className="mx-auto flex max-w-3xl flex-col">
				{shown.map((message, at) => (
					<li key={message.key} className="[contain-intrinsic-size:auto_5rem] [content-visibility:auto]">
						{message.kind === 'said' ? (
							<ConversationMessage
								sessionId={sessionId}
								message={message}
								before={shown.slice(0, at).findLast(({ kind }) => kind === 'said')}
								isSelected={message.key === selected}
								onChoose={onChoose}
								onGrow={() => {
									if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
								}}
							/>
						) : (
							<button type="button" className={LINE} onClick={() => onChoose(message.first.key)}>
								<span aria-hidden>› </span>
								{[
									say('{count} {count:call|calls}', { count: message.calls }),
									...(message.failed > 0 ? [say('{count} failed', { count: message.failed })] : []),
									...(message.denied > 0 ? [say('{count} denied', { count: message.denied })] : []),
								].join(' · ')}
								<AgentText className="pl-2">{message.names.join(' · ')}</AgentText>
							</button>
						)}
					</li>
				))}
			</ol>
		</section>
	);
}

interface MessageProps {
	sessionId: string;
	message: Extract<ConversationEntry, { kind: 'said' }>;
	before: ConversationEntry | undefined;
	isSelected: boolean;
	onChoose: (key: string) => void;
	onGrow: () => void;
}

const LINE =
	'min-h-6 max-w-full truncate px-3 text-left text-muted text-small hover:text-text hover:underline pointer-coarse:min-h-10';

/** A message of a person or an agent. The row's title stands in until its event has loaded, and if an agent wrote no text. */
function ConversationMessage({ sessionId, message, before, isSelected, onChoose, onGrow }: MessageProps) {
	const { row, by } = message;
	const say = useSay();
	const nameOf = useActorName(sessionId);
	const rowEvents = useRowEvents(sessionId, row.key, row);
	const fullText = rowEvents?.events?.map(textOf).find((one) => one !== undefined);
	const text = fullText ?? row.title;
	// biome-ignore lint/correctness/useExhaustiveDependencies: another text has another height.
	useEffect(onGrow, [text]);
	const isByClient = rowEvents?.events?.some((event) => eventFields(event).source === 'task');
	if (isByClient || (by === 'agent' && fullText === undefined))
		return (
			<button type="button" data-row={row.key} className={LINE} onClick={() => onChoose(row.key)}>
				<AgentText>{row.title}</AgentText>
			</button>
		);
	const speaker = by === 'person' ? say('You') : (row.agent ?? nameOf(row.agentId));
	const goesOn = before?.kind === 'said' && by === before.by && row.agentId === before.row.agentId;
	return (
		<article
			className={cn(
				'relative px-3 py-1',
				goesOn ? 'pr-20' : 'mt-3',
				by === 'person' && 'rounded bg-raised',
				by === 'agent' && row.agentId !== undefined && 'border-edge border-l-2',
				isSelected && 'bg-selected',
			)}
		>
			<button
				type="button"
				data-row={row.key}
				className={cn(
					'flex min-h-6 items-center gap-x-2 hover:underline pointer-coarse:-mt-2 pointer-coarse:min-h-10',
					goesOn ? 'absolute top-1.5 right-3' : '-mb-1 w-full pointer-coarse:-mb-3',
				)}
				onClick={() => onChoose(row.key)}
			>
				<AgentText className={goesOn ? 'sr-only' : 'font-semibold'}>{speaker}</AgentText>
				<time dateTime={row.at} className="ml-auto text-muted text-small">
					{clockTime(row.at)}
				</time>
			</button>
			<LazyMarkdown keepsLines>{text}</LazyMarkdown>
		</article>
	);
}

/** The event field that holds the text of the message. */
const spokenIn: Readonly<Record<string, string>> = {
	...{ 'prompt:submit': 'prompt', 'message:show': 'text' },
	...{ 'agent:complete': 'message', 'supervisor:verdict': 'feedback' },
};

function textOf(event: IndexedEvent): string | undefined {
	const text = eventFields(event)[spokenIn[event.type] ?? ''];
	return typeof text === 'string' && text !== '' ? text : undefined;
}
