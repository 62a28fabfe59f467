import type http from 'node:http';
import { isSameSecret } from '../../access/secret.ts';
import { type HubReadings, renderHubMetrics, ringing } from './hub-metrics.ts';

const UNSET = 'Set SIGNALBOX_METRICS_TOKEN where the hub starts, and send it as a bearer token.';
const WRONG = 'Send SIGNALBOX_METRICS_TOKEN of this hub as a bearer token.';

/**
 * Answers `GET /metrics` and `GET /health?deep` for whoever has the token; says whether the request was one of them. A
 * machine's own address is no right to read: behind a proxy everybody comes from there.
 */
export function createMetricsAnswer({ token, read }: { token: string | undefined; read: () => Promise<HubReadings> }) {
	async function answer(
		path: '/metrics' | '/health',
		request: http.IncomingMessage,
	): Promise<[status: number, text: string]> {
		if (token === undefined) return [404, says(UNSET)];
		if (!hasMetricsToken(request, token)) return [401, says(WRONG)];
		const readings = await read();
		if (path === '/metrics') return [200, renderHubMetrics(readings)];
		const alarms = ringing(readings);
		return [alarms.length === 0 ? 200 : 503, `${JSON.stringify({ ok: alarms.length === 0, alarms }, null, '\t')}\n`];
	}

	return (request: http.IncomingMessage, response: http.ServerResponse): boolean => {
		const [path, query = ''] = (request.url ?? '').split('?', 2);
		const isAsked = path === '/metrics' || (path === '/health' && new URLSearchParams(query).has('deep'));
		if (request.method !== 'GET' || !isAsked) return false;
		void answer(path, request).then(([status, text]) => {
			const kind =
				status === 200 && path === '/metrics' ? 'text/plain; version=0.0.4; charset=utf-8' : 'application/json';
			response.writeHead(status, {
				...{ 'content-type': kind, 'cache-control': 'no-store' },
				...(status === 401 && { 'www-authenticate': 'Bearer' }),
			});
			response.end(text);
		});
		return true;
	};
}

/** Whether a request may read the hub's numbers; where no token is set, none may. */
export const hasMetricsToken = ({ headers }: http.IncomingMessage, token: string | undefined): boolean =>
	token !== undefined && isSameSecret(headers.authorization ?? '', `Bearer ${token}`);

const says = (error: string) => `${JSON.stringify({ error })}\n`;
