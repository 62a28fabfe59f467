import { SessionsPage } from '#components/sessions/sessions-page.tsx';

export default function HomePage() {
	return <SessionsPage />;
}
