import { DecisionsPage } from '#components/decisions/decisions-page.tsx';
import { questions } from '#components/decisions/questions.ts';
import { SavedViews } from '#components/home/sessions/saved-views.tsx';

export default function LedgerPage() {
	return (
		<div className="lg:flex">
			<SavedViews path="/decisions" given={questions} />
			<div className="min-w-0 flex-1">
				<DecisionsPage />
			</div>
		</div>
	);
}
