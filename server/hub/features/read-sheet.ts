import { FeatureSheet } from '#lib/contract/archives/feature-sheet.ts';

/** What a machine says of the feature `id`; else, in words for a log, why it cannot be taken. */
export function readSheet(id: string, text: string): FeatureSheet | string {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return 'a sheet that is not JSON';
	}
	const sheet = FeatureSheet.safeParse(value);
	if (sheet.success) return sheet.data.feature.id === id ? sheet.data : 'the sheet of another feature';
	const issue = sheet.error.issues[0];
	return `a sheet: ${issue?.path.join('.')}: ${issue?.message}`.slice(0, 100);
}
