import http from 'node:http';
import { type AgentName, FIRST_AGENT } from '#lib/agents/agent-table.ts';

/** What the door said. */
export interface DoorAnswer {
	status: number;
	body: string;
	/** The ticket's place, with 303. */
	location: string | undefined;
}

/** Posts one hook input of a client to the door of a server. A string goes as it is, anything else as JSON. */
export function postHook(
	socketPath: string,
	input: unknown,
	headers: Readonly<Record<string, string>> = {},
	agent: AgentName = FIRST_AGENT,
): Promise<DoorAnswer> {
	return new Promise((resolve, reject) => {
		const request = http.request(
			{ socketPath, path: `/hooks/${agent}`, method: 'POST', headers, agent: false },
			(response) => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('error', reject);
				response.on('end', () =>
					resolve({
						status: response.statusCode ?? 0,
						body: Buffer.concat(chunks).toString('utf8'),
						location: response.headers.location,
					}),
				);
			},
		);
		request.on('error', reject);
		request.end(typeof input === 'string' ? input : JSON.stringify(input));
	});
}
