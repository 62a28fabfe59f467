import { randomUUID } from 'node:crypto';
import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { sendToDoor } from '#hooks-bridge/door/door-client.ts';
import { doorProof, proofIn, readDoorKey } from '#hooks-bridge/door/door-proof.ts';

const ANSWER_MS = 5000;

/** Whether what listens on the home's socket proves that it is the home's server. Nothing is recorded and nothing is judged. */
export async function isProvenServer(home: string): Promise<boolean> {
	const key = readDoorKey(home);
	if (key === undefined) return false;
	const requestId = randomUUID();
	const headers = { 'x-signalbox-profile': 'closed', 'x-signalbox-request': requestId };
	const request = { method: 'GET', path: '/tickets/who', text: '', headers, ms: ANSWER_MS };
	const answer = await sendToDoor(doorPath(home), request).catch(() => null);
	return answer !== null && proofIn(answer.contentType) === doorProof(key, requestId, answer.text);
}
