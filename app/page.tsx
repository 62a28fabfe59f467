import { SavedViews } from '#components/home/sessions/saved-views.tsx';
import { SessionsPage } from '#components/home/sessions/sessions-page.tsx';

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
