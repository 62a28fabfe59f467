import http from 'node:http';

/** What a test asks of a door. */
export interface DoorRequest {
	method?: 'GET' | 'POST';
	path: string;
	body?: string;
	headers?: Record<string, string>;
}

/** One request of a test over a connection of its own; rejects when the door dies in the middle. */
export function askDoor(socketPath: string, { method = 'POST', path, body = '', headers = {} }: DoorRequest) {
	return new Promise<{ status: number; location: string | undefined; body: string }>((resolve, reject) => {
		const request = http.request({ socketPath, method, path, headers, agent: false }, (response) => {
			let text = '';
			response.setEncoding('utf8').on('data', (part: string) => {
				text += part;
			});
			response.on('error', reject);
			response.on('end', () =>
				resolve({ status: response.statusCode ?? 0, location: response.headers.location, body: text }),
			);
		});
		request.on('error', reject).end(body);
	});
}
