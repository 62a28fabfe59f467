import { SavedViews } from '#components/sessions/saved-views.tsx';
import { SessionsPage } from '#components/sessions/sessions-page.tsx';

export default function HomePage() {
	return (
		<div className="lg:flex">
			<SavedViews />
			<div className="min-w-0 flex-1">
				<SessionsPage />
			</div>
		</div>
	);
}
