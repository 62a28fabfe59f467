/* `npm run bench delivery`: from the line on the timeline to a socket.io client in another process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import { markedCall, startBareDelivery, startClockedServer } from './rig/clocked-server.ts';
import { quantile } from './rig/quantile.ts';
import { begin, ms, report, times } from './rig/report.ts';
import { createPoster, paced, startBackground } from './rig/steady-load.ts';

const SESSION = 'delivery';
const EVERY_MS = 10;
const COUNT = 1000;
const WARM_UP = 100;

async function startOurs() {
	const server = await startClockedServer();
	return { ...server, token: await signalbox(server.home, ['token', 'create', '--role', 'viewer']) };
}

async function startBare() {
	return { ...(await startBareDelivery()), token: 'none' };
}

type Start = () => Promise<Awaited<ReturnType<typeof startBare>>>;

async function measure(start: Start, backgroundPerSecond: number): Promise<{ took: number[]; lost: number }> {
	const server = await start();
	try {
		const { token } = server;
		const poster = createPoster(server.socketPath);
		await poster.post(markedCall(SESSION, 0));
		const program = join(import.meta.dirname, 'rig/delivery-client.ts');
		const client = spawn(process.execPath, ['--import', 'tsx', program, String(server.port), token, SESSION]);
		client.stderr.pipe(process.stderr);
		const [output] = await once(client.stdout, 'data');
		if (String(output).trim() !== 'ready') throw new Error(`The client was ${output}`);
		const stopBackground = backgroundPerSecond > 0 ? startBackground(server.socketPath, backgroundPerSecond) : () => {};
		await paced(WARM_UP + COUNT, EVERY_MS, (n) => poster.post(markedCall(SESSION, n + 1)));
		stopBackground();
		poster.close();
		await new Promise((resolve) => setTimeout(resolve, 200));
		let printed = '';
		client.stdout.on('data', (text) => {
			printed += text;
		});
		client.kill('SIGTERM');
		await once(client.stdout, 'close');
		const moments = await server.moments();
		const took = (JSON.parse(printed) as [number, number][])
			.filter(([mark]) => mark > WARM_UP)
			.map(([mark, at]) => at - (moments.get(mark)?.mono ?? Number.NaN));
		return { took, lost: COUNT - took.length };
	} finally {
		await server.dispose();
	}
}

for (const perSecond of [0, 200]) {
	begin(`append to socket, one event every ${EVERY_MS} ms beside ${perSecond} others a second`);
	const { took, lost } = await measure(startOurs, perSecond);
	report('p50', ms(quantile(took, 0.5)), perSecond === 0 ? '< 1.2 ms' : undefined);
	report('p99', ms(quantile(took, 0.99)), perSecond === 0 ? '< 4 ms' : undefined);
	report('longest', ms(Math.max(...took)));
	report('lost', String(lost), '0');
	if (perSecond > 0) continue;
	const bare = await measure(startBare, perSecond);
	report('p50 of a program that only appends and emits', ms(quantile(bare.took, 0.5)));
	report('p99 of it', ms(quantile(bare.took, 0.99)));
	report('p50, ours / its', times(quantile(took, 0.5) / quantile(bare.took, 0.5)));
}
