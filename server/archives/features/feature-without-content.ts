import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import { workflows } from '#lib/workflow/registry.ts';

/** Names, times and numbers of a feature; of what stands in a document's head only a workflow that there is. */
export function featureWithoutContent({ created: _, workflow, ...feature }: FeatureRecord): FeatureRecord {
	const known = workflow !== undefined && Object.hasOwn(workflows, workflow) && { workflow };
	return { ...feature, ...known, tasks: { ...feature.tasks, next: [] } };
}
