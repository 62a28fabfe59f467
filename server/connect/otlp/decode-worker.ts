import { parentPort } from 'node:worker_threads';
import { decodeBody, type OtlpBody } from './decode-body.ts';

if (!parentPort) throw new Error('decode-worker is started by the receiver of telemetry, not by hand.');
const port = parentPort;
port.on('message', (body: OtlpBody) => port.postMessage(decodeBody(body)));
