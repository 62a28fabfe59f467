import { SessionPage } from '#components/session-page/session-page.tsx';

/** On a hub, a session's id has two parts: the machine's number and the client's id. */
export default async function OneSessionPage({ params }: { params: Promise<{ id: string[] }> }) {
	return <SessionPage sessionId={(await params).id.map(decodeURIComponent).join('/')} />;
}
