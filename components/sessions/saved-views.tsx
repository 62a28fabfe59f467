'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { type FormEvent, useEffect, useState } from 'react';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { readViews, type SavedView, writeViews } from './view-storage.ts';

/** Views of the list that this reader has named, and a way to name the one that is shown. Nothing where there is neither. */
export function SavedViews() {
	const say = useSay();
	const [views, setViews] = useState<readonly SavedView[]>([]);
	const [name, setName] = useState<string | null>(null);
	const [isKept, setKept] = useState(true);
	const current = `?${useSearchParams()}`;
	// The server knows nothing of them.
	useEffect(() => setViews(readViews()), []);
	const isNamed = current === '?' || views.some(({ query }) => query === current);
	if (views.length === 0 && isNamed) return null;

	function keep(next: readonly SavedView[]) {
		setViews(next);
		setKept(writeViews(next));
	}
	function save(event: FormEvent) {
		event.preventDefault();
		const said = name?.trim() ?? '';
		if (said === '') return;
		keep([...views.filter((view) => view.name !== said), { name: said, query: current }]);
		setName(null);
	}
	return (
		<nav
			aria-label={say('Saved views')}
			className="flex shrink-0 flex-wrap items-center gap-1 px-4 pt-3 lg:w-44 lg:flex-col lg:items-stretch lg:pr-0"
		>
			{views.map((view) => (
				<div key={view.name} className="group flex min-w-0 items-center">
					<Link
						href={`/${view.query}` as Route}
						aria-current={view.query === current ? 'page' : undefined}
						className={cn(
							'min-w-0 flex-1 truncate rounded px-2 py-1 text-muted hover:bg-hover',
							view.query === current && 'bg-selected text-text',
						)}
					>
						{view.name}
					</Link>
					<Button
						kind="quiet"
						size="icon"
						aria-label={say('Remove the view {name}', { name: view.name })}
						onClick={() => keep(views.filter((other) => other !== view))}
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
							// biome-ignore lint/a11y/noAutofocus: whoever pressed the button wants to type the name.
							autoFocus
							onChange={(event) => setName(event.target.value)}
							className="h-6 w-24 min-w-0 flex-1 rounded border border-edge bg-surface px-2 pointer-coarse:h-9"
						/>
						<Button type="submit" size="small">
							{say('Save')}
						</Button>
					</form>
				))}
			{!isKept && (
				<p role="alert" className="text-warn">
					{say('This browser keeps nothing for pages, so the view is gone with the page.')}
				</p>
			)}
		</nav>
	);
}
