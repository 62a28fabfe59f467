import net from 'node:net';
import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeKey } from '../../hub-protocol/signatures.ts';
import { type RedisServer, redisProgram, startRedis } from '../testing/redis-server.ts';
import { createHintSeal, createRedisHints, type Hints, type HintTopic } from './hints.ts';

vi.setConfig({ testTimeout: 60_000 });

const { privateKey } = makeKey();
const WAIT = { timeout: 20_000, interval: 10 };

const open: Hints[] = [];
afterEach(async () => {
	for (const hints of open.splice(0)) await hints.stop();
});

/** A replica's hints, with what Redis itself sent. */
function replica(url: string, key = privateKey) {
	const words: string[] = [];
	const hints = createRedisHints({
		...{ url, privateKey: key, random: () => 0 },
		lost: () => words.push('lost'),
		found: () => words.push('found'),
		failed: (error) => words.push(String(error)),
	});
	open.push(hints);
	const heard: [HintTopic, string | undefined][] = [];
	const listen = (topic: HintTopic) => hints.listen(topic, (body) => heard.push([topic, body]));
	const isUp = () => vi.waitFor(() => expect(hints.state().up).toBe(true), WAIT);
	return { hints, words, heard, hear: listen, isUp };
}

/** The event loop turns: a timer of 5 ms has come so often again. */
async function turns(count: number) {
	for (let n = 0; n < count; n += 1) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe.runIf(redisProgram !== undefined)('hints over Redis', () => {
	let redis: RedisServer;
	beforeAll(async () => {
		redis = await startRedis();
	});
	afterAll(() => redis.remove());

	test('a hint reaches every replica that hears its topic, once each, and nobody else', async () => {
		const [one, two, three] = [replica(redis.url), replica(redis.url), replica(redis.url)];
		one.hear('s:1/a');
		two.hear('s:1/a');
		two.hear('list');
		for (const each of [one, two, three]) await each.isUp();
		// A topic that is heard while the connection stands.
		three.hear('edge:7');
		for (const each of [one, two, three]) each.heard.length = 0;
		three.hints.send('s:1/a', '1/a 5 x');
		three.hints.send('people');
		two.hints.send('list');
		await vi.waitFor(() => expect(one.heard).toHaveLength(1), WAIT);
		await vi.waitFor(() => expect(two.heard).toHaveLength(2), WAIT);
		expect(one.heard).toEqual([['s:1/a', '1/a 5 x']]);
		expect(two.heard).toEqual(
			expect.arrayContaining([
				['s:1/a', '1/a 5 x'],
				['list', undefined],
			]),
		);
		// Its own: told here at once, and not again when it comes back from Redis.
		const stop = two.hear('tickets:1');
		two.hints.send('tickets:1', 'body');
		expect(two.heard.at(-1)).toEqual(['tickets:1', 'body']);
		stop();
		one.hints.send('tickets:1', 'nobody hears');
		one.hints.send('list', 'last');
		await vi.waitFor(() => expect(two.heard.at(-1)).toEqual(['list', 'last']), WAIT);
		expect(two.heard.filter(([topic]) => topic === 'tickets:1')).toHaveLength(1);
		expect(three.hints.state()).toMatchObject({ shared: true, received: 0, unsent: 0, topics: 1 });
	});

	test('R2022 what a hint says counts only with the mark of the hub, for its own channel; without it, it says "look"', async () => {
		const one = replica(redis.url);
		one.hear('list');
		const other = replica(redis.url, makeKey().privateKey);
		other.hear('list');
		await one.isUp();
		await other.isUp();
		one.heard.length = 0;
		other.heard.length = 0;
		const outsider = await createClient({ url: redis.url }).connect();
		const seal = createHintSeal(privateKey);
		const channel = seal.channelOf('list');
		const right = seal.close(channel, 'body');
		const wrong = [
			'17',
			'me body',
			`me ${'A'.repeat(22)} body`,
			right.replace(/body$/, 'other'),
			seal.close(seal.channelOf('people'), 'body'),
			createHintSeal(makeKey().privateKey).close(channel, 'body'),
			'\0',
			'x'.repeat(100_000),
		];
		for (const message of wrong) await outsider.publish(channel, message);
		await outsider.publish(channel, right);
		await vi.waitFor(() => expect(one.heard).toHaveLength(wrong.length + 1), WAIT);
		expect(one.heard).toEqual([...wrong.map(() => ['list', undefined]), ['list', 'body']]);
		// Another hub over the same Redis hears nothing of it.
		expect(other.heard).toEqual([]);
		outsider.destroy();
	});

	test('while Redis is away nothing throws, waits or spins; once it is back all hear that there may be something new', async () => {
		const [one, two] = [replica(redis.url), replica(redis.url)];
		two.hear('s:1/a');
		await one.isUp();
		await two.isUp();
		for (let n = 0; n < 3; n += 1) {
			two.heard.length = 0;
			await redis.crash();
			for (let sent = 0; sent < 20_000; sent += 1) one.hints.send('s:1/a', `lost ${sent}`);
			await turns(20);
			expect([one, two].map(({ hints }) => hints.state().up)).toEqual([false, false]);
			await redis.start();
			await one.isUp();
			await two.isUp();
			await vi.waitFor(() => expect(two.heard).toEqual([['s:1/a', undefined]]), WAIT);
			one.hints.send('s:1/a', 'again');
			await vi.waitFor(() => expect(two.heard.at(-1)).toEqual(['s:1/a', 'again']), WAIT);
		}
		expect(one.words).toEqual(['lost', 'found', 'lost', 'found', 'lost', 'found']);
		expect(one.hints.state().unsent).toBeGreaterThan(0);
	});
});

test('at what is no Redis, or ends each connection at once, it tries again ever more rarely', async () => {
	let connections = 0;
	const ends = net.createServer((socket) => {
		connections += 1;
		socket.on('error', () => undefined).destroy();
	});
	await new Promise<void>((resolve) => ends.listen(0, '127.0.0.1', resolve));
	const address = ends.address();
	const one = replica(`redis://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
	await turns(60);
	// The least pause is 100 ms: with a try at once there would be hundreds.
	expect(connections).toBeGreaterThan(1);
	expect(connections).toBeLessThan(30);
	expect(one.words).toEqual(['lost']);
	await one.hints.stop();
	await new Promise((resolve) => ends.close(resolve));
});
