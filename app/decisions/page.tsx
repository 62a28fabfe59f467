import { DecisionsPage } from '#components/decisions/decisions-page.tsx';
import { SavedViews } from '#components/home/sessions/saved-views.tsx';
import type { Plain } from '#lib/messages/say.ts';

/** Predefined views for all users; saved views are listed beside them. */
const questions: readonly { name: Plain; query: string }[] = [
	{ name: 'All', query: '?' },
	{ name: 'Overridden', query: '?kind=overridden&followed=true' },
	{ name: 'Denied', query: '?kind=denied&followed=true' },
	{ name: 'Failed', query: '?kind=overridden&outcome=failed&followed=true' },
	{ name: 'Unanswered', query: '?state=expired&followed=true' },
];

export default function LedgerPage() {
	return (
		<DecisionsPage>
			<SavedViews path="/decisions" given={questions} />
		</DecisionsPage>
	);
}
