import type { FeatureRecord, FeatureText } from '#lib/contract/archives/features.ts';
import { cutText } from '#lib/text/visible-text.ts';
import { workflows } from '#lib/workflow/registry.ts';

/** Longest text of one document that is sent, in UTF-16 units. */
const MAX_TEXT = 128 * 1024;

/** Most handoffs of one archive that are sent with it. */
export const MAX_HANDOFFS = 100;

/** A text for a page: cut if it is long. Null: it could not be read. */
export function featureText(name: string, whole: string | null): FeatureText {
	if (whole === null) return { name, text: '', cut: true };
	const { text, left } = cutText(whole, MAX_TEXT);
	return { name, text, cut: left > 0 };
}

/** Names, times and numbers of a feature; of a document's head only the workflow. */
export function featureWithoutContent({ created: _, workflow, ...feature }: FeatureRecord): FeatureRecord {
	const known = workflow !== undefined && Object.hasOwn(workflows, workflow) && { workflow };
	return { ...feature, ...known, tasks: { ...feature.tasks, next: [] } };
}
