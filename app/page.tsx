import { SavedViews } from '#components/home/sessions/saved-views.tsx';
import { SessionsPage } from '#components/home/sessions/sessions-page.tsx';

export default function HomePage() {
	return (
		<>
			<SavedViews />
			<SessionsPage />
		</>
	);
}
