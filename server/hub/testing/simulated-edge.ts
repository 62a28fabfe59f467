import { hash } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type ChainHead, HUB_WIRE, type HubFrame, Joined } from '#lib/contract/hub/hub-wire.ts';
import { decodeHubFrame, encodeEdgeFrame } from '#lib/hub/frame.ts';
import { packBody } from '../../hub-protocol/pack-body.ts';
import { makeKey, signHello } from '../../hub-protocol/signatures.ts';

/** A machine that has joined a hub, without a home. */
export interface SimulatedMachine {
	edge: number;
	privateKey: string;
	/** The counter of its next hello; a copy of the machine would send the same. */
	counter: number;
	journal: ChainHead | null;
}

/** Joins a hub with a code (without its root). */
export async function joinMachine(url: string, code: string, name = 'simulated'): Promise<SimulatedMachine> {
	const { privateKey, publicKey } = makeKey();
	const body = JSON.stringify({ code, key: publicKey, name, version: '0' });
	const headers = { 'content-type': 'application/json' };
	const answer = await fetch(new URL('/edge/join', url), { method: 'POST', headers, body });
	const { edge } = Joined.parse(await answer.json());
	return { edge, privateKey, counter: 0, journal: null };
}

interface Pushed {
	from: number;
	to: number;
	body: Uint8Array;
	acked: () => void;
}

/** A connection of a simulated machine; speaks the protocol of an edge, and can also send arbitrary bytes. */
export interface SimulatedEdge {
	/** Resolves when the hub has accepted it. */
	welcomed: Promise<void>;
	/** Resolves with the close code when it ends. */
	closed: Promise<{ code: number; reason: string }>;
	/** Lists sessions; resolves when the hub has answered with the offset of each. */
	open(ids: readonly string[]): Promise<void>;
	/** Sends the next lines of a session; resolves when they are committed. */
	push(id: string, lines: Uint8Array): Promise<void>;
	/** Sends arbitrary bytes. */
	send(data: Uint8Array): void;
	/** All frames of the hub except acknowledgements. */
	readonly frames: readonly HubFrame[];
	stop(): void;
}

/** Connects; `origin` is the hub's own address, if it differs from `url`. */
export function connectEdge(url: string, machine: SimulatedMachine, origin = new URL(url).origin): SimulatedEdge {
	const socket = new WebSocket(new URL('/edge', url.replace(/^http/, 'ws')), { perMessageDeflate: false });
	const sessions = new Map<string, { turn: number; offset: number; sent: number; waiting: Pushed[] }>();
	const opening = new Map<string, () => void>();
	const frames: HubFrame[] = [];
	let letIn = (): void => undefined;
	const welcomed = new Promise<void>((resolve) => {
		letIn = resolve;
	});
	const closed = once(socket, 'close').then(([code, reason]) => ({ code: Number(code), reason: String(reason) }));
	socket.on('error', () => undefined);

	function sendRange(id: string, generation: number, { from, to, body }: Pushed) {
		const digest = hash('sha256', `${id} ${to}`);
		socket.send(
			encodeEdgeFrame('range', { session: id, turn: generation, from, to, digest, journal: 0, bytes: to - from }, body),
		);
	}

	function acceptFrame(frame: HubFrame) {
		if (frame.type === 'challenge') {
			const { edge, counter, journal, privateKey } = machine;
			const hello = { edge, wire: HUB_WIRE, counter, journal, version: '0' };
			socket.send(encodeEdgeFrame('hello', signHello(hello, origin, frame.header.nonce, privateKey)));
		} else if (frame.type === 'welcome') {
			machine.counter = frame.header.counter;
			letIn();
		} else if (frame.type === 'at') {
			const { session: id, turn, offset } = frame.header;
			const waiting = sessions.get(id)?.waiting ?? [];
			sessions.set(id, { turn, offset, sent: waiting.at(-1)?.to ?? offset, waiting });
			for (const pushed of waiting) sendRange(id, turn, pushed);
			opening.get(id)?.();
			opening.delete(id);
		} else if (frame.type === 'ack') {
			const { waiting = [] } = sessions.get(frame.header.session) ?? {};
			while (waiting[0] && waiting[0].to <= frame.header.to) waiting.shift()?.acked();
		}
	}
	socket.on('message', (data: Buffer) => {
		const frame = decodeHubFrame(data);
		if ('bad' in frame) throw new Error(frame.bad);
		if (frame.type !== 'ack') frames.push(frame);
		acceptFrame(frame);
	});

	return {
		welcomed,
		closed,
		async open(ids) {
			const opened = ids.map((id) => new Promise<void>((resolve) => opening.set(id, resolve)));
			const birth = new Date(0).toISOString();
			socket.send(encodeEdgeFrame('sessions', { sessions: ids.map((id) => ({ id, size: 0, birth })) }));
			await Promise.all(opened);
		},
		push(id, lines) {
			const session = sessions.get(id);
			if (!session) throw new Error(`The hub was not told of ${id}.`);
			const from = session.sent;
			session.sent += lines.length;
			return new Promise((acked) => {
				const pushed = { from, to: session.sent, body: packBody(lines), acked };
				session.waiting.push(pushed);
				sendRange(id, session.turn, pushed);
			});
		},
		send: (data) => socket.send(data),
		frames,
		stop: () => socket.terminate(),
	};
}
