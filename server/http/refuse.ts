import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '#lib/contract/errors.ts';
import { withProgramName } from '#lib/text/with-program-name.ts';
import { DatabaseAway } from '../timeline/store/hub-store.ts';
import { JournalUnwritten } from '../timeline/store/journal-failure.ts';

/** Answers with the error's status and body; a connection that may hold an unread body is closed. */
export function refuse(response: ServerResponse, error: AppError, program: string): void {
	if (response.headersSent) {
		response.destroy();
		return;
	}
	const { error: own } = error.toBody();
	const body = JSON.stringify({ error: { ...own, message: withProgramName(own.message, program) } });
	response.writeHead(error.status, {
		'content-type': 'application/json; charset=utf-8',
		'content-length': Buffer.byteLength(body),
		'cache-control': 'no-store',
		...(error.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
		...(response.req.method === 'GET' ? {} : { connection: 'close' }),
	});
	response.end(response.req.method === 'HEAD' ? undefined : body);
}

const LINGER_MS = 1000;

export function refuseSocket(socket: Duplex, status: number): void {
	socket.on('error', () => socket.destroy());
	if (!socket.writable) {
		socket.destroy();
		return;
	}
	// A peer that does not read would keep its connection, of which there are only so many.
	setTimeout(() => socket.destroy(), LINGER_MS).unref();
	socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Any thrown value as an error for people. Unknown ones go to `onUnknown` and disclose nothing. */
export function toAppError(thrown: unknown, onUnknown: (thrown: unknown) => void): AppError {
	if (thrown instanceof AppError) return thrown;
	onUnknown(thrown);
	if (thrown instanceof JournalUnwritten) return new AppError('journal/unwritten', thrown.message);
	if (thrown instanceof DatabaseAway) return new AppError('hub/database');
	return new AppError('server/failed');
}
