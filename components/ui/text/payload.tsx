import { type ReactNode, useEffect, useRef, useState } from 'react';
import { blobRefsIn, withBlobs } from '#lib/contract/events/blob-refs.ts';
import type { Plain, Say } from '#lib/messages/say.ts';
import { type AnsiColour, type AnsiLook, ansiSpans, hasAnsi, withoutAnsi } from '#lib/text/ansi.ts';
import { countUnseen, cutText, prettyValue } from '#lib/text/visible-text.ts';
import { useSay } from '../../language/use-say.ts';
import { useSessionSource } from '../../live/session-source.ts';
import { Alert } from '../answer-state.tsx';
import { Button } from '../button.tsx';
import { cn } from '../cn.ts';
import { Toned } from '../tone.tsx';
import { useCut } from '../use-size.ts';
import { AgentText } from './agent-text.tsx';
import { LazyMarkdown } from './lazy-markdown.tsx';
import { VerdictText } from './verdict-text.tsx';

/** Longer text (UTF-16 units) is shown only on request; a megabyte of chips would freeze the page. */
const SHOWN_AT_FIRST = 2_000;
const SHOWN_MORE = 200_000;

interface PayloadProps {
	sessionId: string;
	value: unknown;
	/** A report by an agent: verdict comments become marks, and a plain text is rendered as Markdown. */
	isReport?: boolean;
	/** Shows only the first lines until expanded. */
	isFolded?: boolean;
	/** Output of a command: its ANSI colours are shown. */
	isTerminal?: boolean;
	/** Shows plain names for the known fields of tools. */
	hasPlainNames?: boolean;
	/** Custom rendering of a field's text; null uses the plain one. */
	draw?: (text: string) => ReactNode;
	onWhole?: (isWhole: boolean) => void;
}

/** Whether a value is not fully shown at first: too long, or partly in a blob. */
export function isCutOff(value: unknown): boolean {
	if (blobRefsIn(value).length > 0) return true;
	return fieldsOf(value).reduce((sum, { text }) => sum + text.length, 0) > SHOWN_AT_FIRST;
}

/** An input or output as plain text, field by field, with invisible characters as chips and their count. */
export function Payload(props: PayloadProps) {
	const { sessionId, value, isReport, isTerminal, hasPlainNames, isFolded, draw, onWhole } = props;
	const say = useSay();
	const Text = isReport ? VerdictText : AgentText;
	const box = useRef<HTMLDivElement>(null);
	const [limit, setLimit] = useState(SHOWN_AT_FIRST);
	const [isOpened, setOpened] = useState(false);
	const [cutRef, isCut] = useCut<HTMLDivElement>();
	const isShort = isFolded === true && !isOpened;
	const blobs = useBlobs(sessionId, value);
	const fields = fieldsOf(blobs.value);
	const nameOf = (name: string) => {
		const plain = hasPlainNames ? plainNames.get(name) : undefined;
		return plain === undefined ? name : say(plain);
	};
	const fullText = prettyValue(blobs.value);
	// Colour escapes cannot deceive and are not part of the shown text.
	const unseen = countUnseen(isTerminal ? withoutAnsi(fullText) : fullText);
	let budget = limit;
	let left = 0;
	const shown = fields.map(({ name, text }) => {
		const cut = cutText(text, Math.min(budget, text.length));
		budget -= cut.text.length;
		left += cut.left;
		return { name, text: cut.text };
	});

	async function showMore() {
		// The button disappears, and the card's shortcuts need the focus inside the card.
		box.current?.focus();
		setOpened(true);
		if (blobs.missing > 0) return await blobs.load();
		if (left > 0) setLimit(limit + SHOWN_MORE);
	}

	const hasMore = left > 0 || blobs.missing > 0;
	const isWhole = !hasMore && !(isShort && isCut);
	useEffect(() => onWhole?.(isWhole), [onWhole, isWhole]);

	return (
		<div
			ref={box}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
			tabIndex={0}
			className={cn('rounded border border-line bg-raised p-2', !isFolded && 'max-h-[32rem] overflow-auto')}
		>
			<div ref={cutRef} className={cn(isShort && 'max-h-56 overflow-hidden')}>
				{unseen > 0 && (
					<Toned tone="warn" as="p" className="mb-1 text-small">
						{say('{unseen} {unseen:character|characters} that would not be seen', { unseen })}
					</Toned>
				)}
				{shown.map(({ name, text }) => (
					<div key={name}>
						{name !== '' && <AgentText className="text-muted text-small">{nameOf(name)}</AgentText>}
						{isTerminal && hasAnsi(text) ? (
							<TerminalText>{text}</TerminalText>
						) : isReport && name === '' ? (
							<LazyMarkdown keepsLines>{text}</LazyMarkdown>
						) : (
							(draw?.(text) ?? <Text block>{text}</Text>)
						)}
					</div>
				))}
			</div>
			{typeof blobs.state === 'object' && (
				<Alert className="mt-1">
					{say('The whole text could not be read: {failed}', { failed: say.known(blobs.state.failed) })}
				</Alert>
			)}
			{!isWhole && (
				<Button size="small" className="mt-2" disabled={blobs.state === 'loading'} onClick={() => void showMore()}>
					{hasMore ? moreWords(say, blobs.missing, left) : say('Show all of it')}
				</Button>
			)}
		</div>
	);
}

/** Label of the button that shows more; `missing` in bytes, `left` in UTF-16 units. */
function moreWords(say: Say, missing: number, left: number): string {
	if (missing > 0) return say('Read the whole text ({size} kB)', { size: Math.ceil(missing / 1024) });
	if (left > SHOWN_MORE) return say('Show the next {count} characters', { count: SHOWN_MORE });
	return say('Show the other {count} characters', { count: left });
}

/** Terminal colours mapped to theme colours that are readable in light and dark. */
const colours: Record<AnsiColour, string> = {
	black: 'text-muted',
	red: 'text-err',
	green: 'text-ok',
	yellow: 'text-warn',
	blue: 'text-accent',
	magenta: 'text-wait',
	cyan: 'text-run',
	white: 'text-text',
};

/** Output of a command with its colours; other escapes become chips, as in all agent text. */
export function TerminalText({ children }: { children: string }) {
	return (
		<div className="whitespace-pre-wrap font-mono text-mono [overflow-wrap:anywhere]">
			{ansiSpans(children).map((span, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the spans of one text keep their order.
				<AgentText key={index} className={styleClass(span)}>
					{span.text}
				</AgentText>
			))}
		</div>
	);
}

function styleClass({ colour, isBold, isDim, isItalic, isUnderlined }: AnsiLook): string {
	return cn(
		colour ? colours[colour] : isDim && 'text-muted',
		isBold && 'font-semibold',
		isItalic && 'italic',
		isUnderlined && 'underline',
	);
}

interface Blobs {
	/** Includes the beginning of parts that are not loaded. */
	value: unknown;
	/** Bytes of the parts that are not loaded. */
	missing: number;
	state: 'still' | 'loading' | { failed: string };
	load: () => Promise<void>;
}

function useBlobs(sessionId: string, value: unknown): Blobs {
	const { getBlob } = useSessionSource();
	const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
	const [state, setState] = useState<Blobs['state']>('still');
	const missing = blobRefsIn(value).filter(({ blob }) => !texts.has(blob));

	async function load(): Promise<void> {
		setState('loading');
		const answers = await Promise.all(missing.map(({ blob }) => getBlob(sessionId, blob)));
		const loadedTexts = new Map(texts);
		for (const [index, { blob }] of missing.entries()) {
			const answer = answers[index];
			if (!answer?.ok) return setState({ failed: answer?.message ?? '' });
			loadedTexts.set(blob, answer.data);
		}
		setTexts(loadedTexts);
		setState('still');
	}
	return { value: withBlobs(value, texts), missing: missing.reduce((sum, { bytes }) => sum + bytes, 0), state, load };
}

/** Plain names of common tool fields; other fields keep their names. */
const plainNames: ReadonlyMap<string, Plain> = new Map([
	['description', 'What for'],
	['subagent_type', 'Agent'],
	['prompt', 'Prompt'],
	['command', 'Command'],
	['file_path', 'File'],
	['notebook_path', 'File'],
	['path', 'File'],
	['content', 'Content'],
	['old_string', 'Before#field'],
	['new_string', 'After#field'],
	['url', 'Address'],
	['pattern', 'Pattern'],
	['run_in_background', 'In the background'],
]);

/** A field of a value; the name is empty if the value is not an object. */
export interface PayloadField {
	name: string;
	text: string;
}

/** The fields of an object as separate texts, so that the text of one cannot imitate another field. */
export function fieldsOf(value: unknown): PayloadField[] {
	if (typeof value !== 'object' || value === null || Array.isArray(value))
		return [{ name: '', text: prettyValue(value) }];
	const entries = Object.entries(value);
	if (entries.length === 0) return [{ name: '', text: '{}' }];
	return entries.map(([name, field]) => ({ name, text: prettyValue(field) }));
}
