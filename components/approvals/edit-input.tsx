import { useId, useState } from 'react';
import { english, type Say } from '#lib/messages/say.ts';
import { countUnseen } from '#lib/text/visible-text.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { fieldsOf } from '../ui/text/payload.tsx';
import type { Card } from './use-card.ts';

export function EditInput({ input, card }: { input: unknown; card: Card }) {
	const say = useSay();
	const { newDenials, isFree, approveWith } = card;
	const id = useId();
	const [text, setText] = useState(() => JSON.stringify(input, null, 2));
	const edited = readEdited(text, say);
	const changes = edited.ok ? changedFields(input, edited.input) : [];
	const unseen = countUnseen(text);
	return (
		<section aria-label={say('Edit the input')} className="flex flex-col gap-2 rounded border border-edge p-3">
			<label htmlFor={id} className="text-muted">
				{say('Input (JSON)')}
			</label>
			<textarea
				id={id}
				value={text}
				spellCheck={false}
				rows={Math.min(16, text.split('\n').length + 1)}
				aria-invalid={!edited.ok}
				aria-describedby={`${id}-said`}
				onChange={(event) => setText(event.target.value)}
				className="rounded border border-edge bg-surface p-2 font-mono text-mono"
			/>
			<div id={`${id}-said`} aria-live="polite">
				{!edited.ok && <p className="text-warn">{edited.message}</p>}
				{unseen > 0 && (
					<p className="text-warn">
						{say('{unseen} {unseen:character|characters} in it would not be seen', { unseen })}
					</p>
				)}
				{edited.ok && changes.length === 0 && <p className="text-muted">{say('Nothing is changed yet.')}</p>}
				{changes.map((change) => (
					<Change key={change.name} change={change} />
				))}
			</div>
			<div className="flex flex-wrap gap-2">
				<Button
					kind="primary"
					disabled={!isFree || !edited.ok || changes.length === 0}
					onClick={() => edited.ok && approveWith(edited.input)}
				>
					{changes.length === 0
						? say('Approve with no changes')
						: changes.length === 1
							? say('Approve with this change')
							: say('Approve with {count} changes', { count: changes.length })}
				</Button>
				{newDenials.length > 0 && (
					<Button
						kind="danger"
						disabled={!isFree || !edited.ok}
						onClick={() => edited.ok && approveWith(edited.input, newDenials)}
					>
						<AgentText>
							{say('Approve despite {rules}', { rules: newDenials.map(({ rule }) => rule).join(say(' and ')) })}
						</AgentText>
					</Button>
				)}
				<Button onClick={card.closeForm}>{say('Cancel')}</Button>
			</div>
		</section>
	);
}

function Change({ change: { name, before, after } }: { change: ChangedField }) {
	const say = useSay();
	return (
		<div className="border-line border-t py-1">
			<AgentText className="text-muted text-small">{name}</AgentText>
			{before !== null && (
				<p className="flex gap-2">
					<span className="w-10 shrink-0 text-err">{say('was')}</span>
					<AgentText block className="line-clamp-6 min-w-0">
						{before}
					</AgentText>
				</p>
			)}
			<p className="flex gap-2">
				<span className="w-10 shrink-0 text-ok">{say('now')}</span>
				{after === null ? (
					<span className="text-muted">{say('left out')}</span>
				) : (
					<AgentText block className="min-w-0">
						{after}
					</AgentText>
				)}
			</p>
		</div>
	);
}

/** A field of the input that a person changed; null if the field is missing on that side. */
interface ChangedField {
	name: string;
	before: string | null;
	after: string | null;
}

export function changedFields(before: unknown, after: unknown): ChangedField[] {
	const [old, now] = [before, after].map((value) => new Map(fieldsOf(value).map(({ name, text }) => [name, text])));
	const names = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
	return [...names]
		.map((name) => ({ name, before: old?.get(name) ?? null, after: now?.get(name) ?? null }))
		.filter((field) => field.before !== field.after);
}

export function readEdited(
	text: string,
	say: Say = english,
): { ok: true; input: Record<string, unknown> } | { ok: false; message: string } {
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
			return { ok: true, input: value as Record<string, unknown> };
		}
		return { ok: false, message: say('The input of a call is an object: {sample}.', { sample: '{ … }' }) };
	} catch {
		return { ok: false, message: brokenWords(text, say) };
	}
}

function brokenWords(text: string, say: Say): string {
	const before = text.slice(0, jsonBreak(text) ?? 0).split('\n');
	return say(
		'This is no JSON at line {line}, column {column}. Names and texts stand in "double quotes", with a comma between two and none after the last.',
		{ line: before.length, column: (before.at(-1)?.length ?? 0) + 1 },
	);
}

const BLANK = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids control characters in strings.
const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const ATOM = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Offset of the first JSON syntax error, null for valid JSON. Engines word their errors differently, some without a position.
 * Throws if nested deeper than the stack, as `JSON.parse` does.
 */
export function jsonBreak(text: string): number | null {
	let at = 0;
	const matchNext = (pattern: RegExp): boolean => {
		pattern.lastIndex = at;
		const match = pattern.exec(text);
		if (match) at = pattern.lastIndex;
		return match !== null;
	};
	const sign = (one: string): boolean => {
		matchNext(BLANK);
		const is = text[at] === one;
		if (is) at += 1;
		return is;
	};
	const list = (end: string, member: () => boolean): boolean => {
		if (sign(end)) return true;
		do if (!member()) return false;
		while (sign(','));
		return sign(end);
	};
	const field = () => matchNext(BLANK) && matchNext(STRING) && sign(':') && value();
	const value = (): boolean => {
		if (sign('{')) return list('}', field);
		if (sign('[')) return list(']', value);
		return matchNext(STRING) || matchNext(ATOM);
	};
	if (!value()) return at;
	matchNext(BLANK);
	return at === text.length ? null : at;
}
