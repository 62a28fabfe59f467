import { SessionPage } from '#components/session-page/session-page.tsx';

export default async function OneSessionPage({ params }: { params: Promise<{ id: string }> }) {
	return <SessionPage sessionId={decodeURIComponent((await params).id)} />;
}
