import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readState } from '#hooks-bridge/disk/write-files.ts';
import { isJson } from '#lib/json/json.ts';
import { processProbe } from '../../approvals/process-probe.ts';
import { EXIT, type Terminal } from '../../process/command.ts';
import { writableHomeOf } from '../../process/home.ts';

const DRAIN_MS = 20_000;
const CHECK_MS = 100;

export type HomeReplica = NonNullable<ReturnType<typeof processProbe.identify>> & {
	port: number;
	url?: string;
};

const fileOf = (home: string, port: number) => join(home, `hub-${port}.pid`);

export function noteReplica(home: string, port: number, url: string): () => void {
	const path = fileOf(home, port);
	writeFileSync(path, JSON.stringify({ ...processProbe.identify(process.pid), url }), { mode: 0o600 });
	return () => rmSync(path, { force: true });
}

export function homeReplicas(home: string): HomeReplica[] {
	return readdirSync(home)
		.flatMap((name) => /^hub-(\d{1,5})\.pid$/.exec(name)?.[1] ?? [])
		.map(Number)
		.sort((a, b) => a - b)
		.flatMap((port) => readReplica(home, port) ?? [])
		.filter((replica) => processProbe.isAlive(replica));
}

function readReplica(home: string, port: number): HomeReplica | undefined {
	const found = readState(fileOf(home, port));
	return isJson(found) && Number.isInteger(found.pid) ? ({ ...found, port } as HomeReplica) : undefined;
}

export async function drainHub(terminal: Terminal, port: number | undefined): Promise<number> {
	const running = homeReplicas(writableHomeOf(terminal));
	const [replica, ...others] = running.filter((one) => port === undefined || one.port === port);
	if (!replica || others.length > 0) {
		const ports = running.map((one) => one.port).join(', ');
		if (replica) throw new Error(`Several replicas run for this home: choose one with --port (${ports}).`);
		if (ports) throw new Error(`No replica of this home runs at port ${port}; replicas run at ${ports}.`);
		throw new Error('No replica of a hub runs for this home.');
	}
	process.kill(replica.pid, 'SIGTERM');
	for (let waited = 0; waited < DRAIN_MS; waited += CHECK_MS) {
		if (!processProbe.isAlive(replica)) return EXIT.done;
		await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
	}
	throw new Error('The replica has not stopped yet; its log says what it is doing.');
}
