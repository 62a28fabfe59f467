'use client';
import Link from 'next/link';
import type { FeatureDetail, FeatureText } from '#lib/contract/archives/features.ts';
import { useSay } from '../language/use-say.ts';
import { rowAddress } from '../row/row-address.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { LazyMarkdown } from '../ui/text/lazy-markdown.tsx';
import { VerdictText } from '../ui/text/verdict-text.tsx';

/** Documents that are read first, in this order; others follow. */
const order = ['proposal.md', 'prd.md', 'plan.md', 'design.md', 'bdd.md', 'tasks.md'];
const placeOf = ({ name }: FeatureText) =>
	order.includes(name.toLowerCase()) ? order.indexOf(name.toLowerCase()) : order.length;

/** Documents, handoffs and sessions of a feature. All of it is text of agents; Markdown is drawn. */
export function FeatureDocuments({ detail }: { detail: FeatureDetail }) {
	const say = useSay();
	const { documents, handoffs, feature } = detail;
	const sorted = [...documents].sort((a, b) => placeOf(a) - placeOf(b));
	return (
		<section
			aria-label={say('Documents')}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
			tabIndex={0}
			className="max-h-72 shrink-0 overflow-y-auto border-line border-b p-3 xl:max-h-none xl:w-80 xl:border-r xl:border-b-0"
		>
			<h2 className="pb-1 font-semibold">{say('Documents')}</h2>
			{sorted.length === 0 && <p className="text-muted">{say('The folder holds no documents.')}</p>}
			{sorted.map((text, at) => (
				<Document key={text.name} text={text} isOpen={at === 0} />
			))}
			{handoffs.length > 0 && (
				<>
					<h2 className="pt-4 pb-1 font-semibold">{say('Handoffs')}</h2>
					{handoffs.map((text) => (
						<Document
							key={`${text.sessionId} ${text.name}`}
							text={text}
							from={feature.sessions.length > 1 ? text.sessionId : undefined}
							isOpen={false}
						/>
					))}
				</>
			)}
			{feature.state === 'archived' && <SessionLinks sessionIds={feature.sessions} />}
		</section>
	);
}

function SessionLinks({ sessionIds }: { sessionIds: readonly string[] }) {
	const say = useSay();
	return (
		<>
			<h2 className="pt-4 pb-1 font-semibold">{say('Sessions')}</h2>
			{sessionIds.length === 0 && <p className="text-muted">{say('No session has worked on it.')}</p>}
			<ul>
				{sessionIds.map((sessionId) => (
					<li key={sessionId} className="truncate">
						<Link
							href={rowAddress(sessionId)}
							prefetch={false}
							className="inline-flex min-h-6 items-center hover:underline"
						>
							<AgentText className="font-mono text-mono">{sessionId}</AgentText>
						</Link>
					</li>
				))}
			</ul>
		</>
	);
}

function Document({ text, from, isOpen }: { text: FeatureText; from?: string | undefined; isOpen: boolean }) {
	const say = useSay();
	return (
		<details open={isOpen} className="border-line border-t">
			<summary className="flex min-h-7 items-center hover:text-accent">
				<AgentText>{text.name}</AgentText>
				{from && <AgentText className="ml-2 truncate font-mono text-mono text-muted">{from}</AgentText>}
			</summary>
			<div className="pb-2">
				{/\.(?:md|markdown)$/i.test(text.name) ? (
					<LazyMarkdown>{text.text}</LazyMarkdown>
				) : (
					<VerdictText block>{text.text}</VerdictText>
				)}
			</div>
			{text.cut && (
				<p className="pb-2 text-warn">
					{text.text === '' ? say('It could not be read.') : say('It is longer than what is shown here.')}
				</p>
			)}
		</details>
	);
}
