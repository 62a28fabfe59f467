import http from 'node:http';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../process/log.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { startReplica } from '../testing/replica-rig.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';

const TOKEN = 'a token of sixteen characters';
const SILENT = 20;

describe.runIf(postgresPrograms !== undefined)('who says nothing to a hub', () => {
	const newDatabase = sharedDatabases();
	const lines: string[] = [];
	const made = vi.spyOn(http, 'createServer');
	let rig: Awaited<ReturnType<typeof startReplica>>;
	beforeAll(async () => {
		const log = createLog((line) => void lines.push(line));
		rig = await startReplica(await newDatabase(), { log, metricsToken: TOKEN, helloMs: 1 });
	});
	afterAll(async () => {
		made.mockRestore();
		await rig.stop();
	});

	/** A websocket that answers nothing, not even its end. */
	const connectSilent = () =>
		new Promise<void>((resolve) => {
			const socket = net.connect(rig.hub.port, '127.0.0.1');
			socket.on('error', () => undefined).on('data', () => undefined);
			socket.once('close', () => resolve());
			const key = 'dGhlIHNhbXBsZSBub25jZQ==';
			const names = `Host: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}`;
			socket.write(`GET /edge HTTP/1.1\r\n${names}\r\n\r\n`);
		});
	const get = async (path: string) => {
		const answer = await fetch(`http://127.0.0.1:${rig.hub.port}${path}`, {
			headers: { authorization: `Bearer ${TOKEN}` },
		});
		return answer.text();
	};

	test('a connection without a hello is cut, rings no alarm, and fills no log', async () => {
		await Promise.all(Array.from({ length: SILENT }, connectSilent));
		const numbers = await get('/metrics');
		expect(numbers).toContain(`signalbox_hub_connections_ended_total{why="silent"} ${SILENT}\n`);
		expect(numbers).toContain('signalbox_hub_connections_ended_total{why="bad"} 0\n');
		expect(await get('/health?deep')).not.toContain('connections_ended');
		expect(lines.filter((line) => /hello|sent away/.test(line))).toHaveLength(1);
	});

	test('the server of a hub that listens waits for a request no longer than that of a machine, and keeps a connection longer than proxies do', () => {
		const servers = made.mock.results.map(({ value }) => value as http.Server);
		const listening = servers.filter((server) => server.listening);
		expect(listening).toMatchObject([{ requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 }]);
	});
});
