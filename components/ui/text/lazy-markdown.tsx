import { type ComponentProps, lazy, Suspense } from 'react';
import type { Markdown } from './markdown.tsx';
import { VerdictText } from './verdict-text.tsx';

const Drawn = lazy(() => import('./markdown.tsx').then((module) => ({ default: module.Markdown })));

/** Agent text as Markdown; plain text until the renderer has loaded. */
export function LazyMarkdown(props: ComponentProps<typeof Markdown>) {
	return (
		<Suspense fallback={<VerdictText block>{props.children}</VerdictText>}>
			<Drawn {...props} />
		</Suspense>
	);
}
