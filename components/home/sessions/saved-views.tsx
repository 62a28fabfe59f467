'use client';

import type { Route } from 'next';
import { useSearchParams } from 'next/navigation';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { PageLink } from '#components/ui/text-link.tsx';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../../language/use-say.ts';
import { readStoredList, writeStored } from '../../live/browser-storage.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';

interface SavedViewsProps {
	path?: '/' | '/decisions';
	given?: readonly { name: Plain; query: string }[];
}

const NONE: NonNullable<SavedViewsProps['given']> = [];

/** The reader's saved views of a list, and a form to save the current one. Empty if there is neither. */
export function SavedViews({ path = '/', given = NONE }: SavedViewsProps) {
	const say = useSay();
	const [all, setAll] = useState<readonly SavedView[]>([]);
	const [name, setName] = useState<string | null>(null);
	const [isKept, setKept] = useState(true);
	const current = `?${useSearchParams()}`;
	useEffect(() => setAll(readViews()), []);
	const views = all.filter((view) => (view.path ?? '/') === path);
	const isShown = ({ query }: { query: string }) => sorted(query) === sorted(current);
	const isNamed = current === '?' || views.some(isShown) || given.some(isShown);
	if (views.length === 0 && given.length === 0 && isNamed) return null;

	function storeViews(next: readonly SavedView[]) {
		setAll(next);
		setKept(writeStored(KEY, JSON.stringify(next.slice(0, MAX_VIEWS))));
	}
	function save(event: FormEvent) {
		event.preventDefault();
		const trimmedName = name?.trim() ?? '';
		if (trimmedName === '') return;
		const others = all.filter((view) => view.name !== trimmedName || !views.includes(view));
		storeViews([...others, { name: trimmedName, query: current, ...(path !== '/' && { path }) }]);
		setName(null);
	}
	return (
		<nav
			aria-label={say('Saved views')}
			className={cn('flex flex-wrap items-center gap-1', path === '/' && 'px-4 pt-3')}
		>
			{given.map((view) => (
				<ViewLink key={view.query} href={`${path}${view.query}`} isShown={isShown(view)}>
					{say(view.name)}
				</ViewLink>
			))}
			{views.map((view) => (
				<div key={view.name} className="group flex min-w-0 items-center">
					<ViewLink href={`${path}${view.query}`} isShown={isShown(view)} className="flex-1 truncate">
						{view.name}
					</ViewLink>
					<Button
						kind="quiet"
						size="icon"
						aria-label={say('Remove the view {name}', { name: view.name })}
						onClick={() => storeViews(all.filter((other) => other !== view))}
					>
						<span aria-hidden>✕</span>
					</Button>
				</div>
			))}
			{!isNamed &&
				(name === null ? (
					<Button size="small" onClick={() => setName('')}>
						{say('Save this view')}
					</Button>
				) : (
					<form onSubmit={save} className="flex gap-1">
						<input
							aria-label={say('Name of the view')}
							value={name}
							maxLength={60}
							// biome-ignore lint/a11y/noAutofocus: the user pressed the button to type a name.
							autoFocus
							onChange={(event) => setName(event.target.value)}
							className="h-6 w-24 min-w-0 flex-1 rounded border border-edge bg-surface px-2 pointer-coarse:h-10"
						/>
						<Button type="submit" size="small">
							{say('Save')}
						</Button>
					</form>
				))}
			{!isKept && <Alert>{say('This browser keeps nothing for pages, so the view is gone with the page.')}</Alert>}
		</nav>
	);
}

/** The query with sorted parameters, so that equal queries are equal texts. Whether a list shows more of each line is no other view. */
function sorted(query: string): string {
	const parts = new URLSearchParams(query);
	parts.delete('followed');
	parts.sort();
	return parts.toString();
}

interface ViewLinkProps {
	href: string;
	isShown: boolean;
	className?: string;
	children: ReactNode;
}

function ViewLink({ href, isShown, className, children }: ViewLinkProps) {
	return (
		<PageLink
			href={href as Route}
			aria-current={isShown ? 'page' : undefined}
			className={cn(
				'min-w-0 rounded px-2 py-1 text-muted hover:bg-hover pointer-coarse:py-2.5',
				isShown && 'bg-selected text-text',
				className,
			)}
		>
			{children}
		</PageLink>
	);
}

interface SavedView {
	name: string;
	path?: string;
	/** The query string of the URL, such as `?q=shop`. */
	query: string;
}

const KEY = 'signalbox-views';
const MAX_VIEWS = 50;

/**
 * The views saved in this browser, in order. Not in the settings of the home, because viewers cannot change those and a
 * view is personal.
 */
const readViews = (): readonly SavedView[] => readStoredList(KEY).filter(isView).slice(0, MAX_VIEWS);

const isView = (value: unknown): value is SavedView =>
	typeof value === 'object' &&
	value !== null &&
	'name' in value &&
	typeof value.name === 'string' &&
	'query' in value &&
	typeof value.query === 'string' &&
	value.query.startsWith('?') &&
	(!('path' in value) || value.path === '/decisions');
