import { SessionPage } from '#components/session-page/session-page.tsx';

/** On a hub a session's name has two parts: the number of its machine before the client's id. */
export default async function OneSessionPage({ params }: { params: Promise<{ id: string[] }> }) {
	return <SessionPage sessionId={(await params).id.map(decodeURIComponent).join('/')} />;
}
