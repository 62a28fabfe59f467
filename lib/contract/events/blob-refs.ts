import type { BlobRef } from './event.ts';

/** Whether a value stands for a larger one in a blob of its session. */
export function isBlobRef(value: unknown): value is BlobRef {
	if (typeof value !== 'object' || value === null || !('blob' in value && 'bytes' in value && 'preview' in value)) {
		return false;
	}
	const { blob, bytes, preview } = value;
	return (
		typeof blob === 'string' &&
		/^[0-9a-f]{64}$/.test(blob) &&
		typeof bytes === 'number' &&
		typeof preview === 'string' &&
		Object.keys(value).length === 3
	);
}

/** The value itself or its direct fields: hooks store no deeper ones. */
export function blobRefsIn(value: unknown): BlobRef[] {
	if (isBlobRef(value)) return [value];
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
	return Object.values(value).filter(isBlobRef);
}

/** The value with each reference replaced by its text, or by the preview if that is missing. */
export function withBlobs(value: unknown, texts: ReadonlyMap<string, string>): unknown {
	const textOf = (ref: BlobRef) => texts.get(ref.blob) ?? ref.preview;
	if (isBlobRef(value)) return textOf(value);
	if (blobRefsIn(value).length === 0) return value;
	return Object.fromEntries(
		Object.entries(value as object).map(([name, field]) => [name, isBlobRef(field) ? textOf(field) : field]),
	);
}
