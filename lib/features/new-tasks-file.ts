import { printable } from '../text/printable.ts';

/** What a new tasks.md begins with. */
export interface NewTasks {
	feature: string;
	status: string;
	/** A workflow's key. */
	workflow?: string;
	/** ISO. */
	created: string;
	/** One open box each; repeated ones are written once. */
	tasks: readonly string[];
}

/** The text of a new tasks.md: frontmatter and a "## Tasks" section. */
export function newTasksFile({ feature, status, workflow, created, tasks }: NewTasks): string {
	return [
		'---',
		`feature: ${feature}`,
		`status: ${status}`,
		...(workflow ? [`workflow: ${printable(workflow, 100)}`] : []),
		`created: ${created}`,
		'---',
		'',
		'## Tasks',
		'',
		...[...new Set(tasks.map((task) => printable(task, 500)))].map((task) => `- [ ] ${task}`),
		'',
	].join('\n');
}
