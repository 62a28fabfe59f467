import { createReadStream } from 'node:fs';
import type * as Sdk from '@aws-sdk/client-s3';
import { AppError } from '#lib/contract/errors.ts';
import type { ObjectLocation } from '../../process/objects-url.ts';

/** The request may have been executed anyway. */
export class ObjectStoreError extends AppError {
	readonly reason: string;
	constructor(reason: string) {
		super('hub/archive-away');
		this.reason = reason;
	}
}

export interface ObjectStore {
	put(name: string, body: Buffer | { file: string; bytes: number }): Promise<void>;
	get(name: string, range?: { at: number; bytes: number }): Promise<Buffer>;
	check(): Promise<void>;
}

const CHECKED = 'signalbox-doctor';
const nothing = () => undefined;
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const ATTEMPTS = 3;
const TIMES = { connectionTimeout: 10_000, requestTimeout: 60_000 };

/** S3; keys and region come from the standard AWS variables. The client is loaded on first use. */
export function openObjectStore({ endpoint, bucket, prefix }: ObjectLocation): ObjectStore {
	let opened: Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> | undefined;

	async function open() {
		process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
		// The built programs give a CommonJS package no names but the default.
		const { default: sdk } = (await import('@aws-sdk/client-s3')) as unknown as { default: typeof Sdk };
		const client = new sdk.S3Client({
			...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
			...(process.env.AWS_REGION === undefined && endpoint !== undefined && { region: 'us-east-1' }),
			// Many S3-compatible stores lack these; we check digests of our own.
			requestChecksumCalculation: 'WHEN_REQUIRED',
			responseChecksumValidation: 'WHEN_REQUIRED',
			maxAttempts: ATTEMPTS,
			logger: SILENT,
			requestHandler: TIMES,
		});
		return { sdk, client };
	}

	async function request<T>(what: string, work: (parts: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
		try {
			opened ??= open();
			return await work(await opened);
		} catch (error) {
			const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
			throw new ObjectStoreError(
				`The object store did not ${what}: ${name === 'Error' ? message : `${name}, ${message}`}`,
			);
		}
	}

	const putObject: ObjectStore['put'] = (name, body) =>
		request(`take ${name}`, async ({ sdk, client }) => {
			const where = { Bucket: bucket, Key: `${prefix}${name}` };
			if (Buffer.isBuffer(body)) {
				await client.send(new sdk.PutObjectCommand({ ...where, Body: body, ContentLength: body.length }));
				return;
			}
			// The client does not retry streams itself.
			for (let attempt = 1; ; attempt += 1) {
				const Body = createReadStream(body.file);
				try {
					await client.send(new sdk.PutObjectCommand({ ...where, Body, ContentLength: body.bytes }));
					return;
				} catch (error) {
					if (attempt === ATTEMPTS) throw error;
				} finally {
					Body.destroy();
				}
			}
		});
	const get: ObjectStore['get'] = (name, range) =>
		request(`give ${name}`, async ({ sdk, client }) => {
			const Range = range && `bytes=${range.at}-${range.at + range.bytes - 1}`;
			const Key = `${prefix}${name}`;
			const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key, ...(Range && { Range }) }));
			const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
			if (range && bytes.length !== range.bytes) throw new Error('it gave another number of bytes');
			return bytes;
		});

	return {
		put: putObject,
		get,
		async check() {
			const text = Buffer.from(new Date().toISOString());
			await putObject(CHECKED, text);
			const found = await get(CHECKED);
			if (!found.equals(text)) throw new ObjectStoreError('The object store gives something else than it was given.');
			await request('delete', ({ sdk, client }) =>
				client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: `${prefix}${CHECKED}` })),
			);
		},
	};
}
