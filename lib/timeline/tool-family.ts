import { agentTable } from '../agents/agent-table.ts';
import type { DeedKind } from '../agents/tool-call.ts';

/** What a tool is for, as coarse as a reader tells bars apart. */
export type ToolFamily = 'read' | 'edit' | 'run' | 'agent' | 'other';

const ofDeed: Partial<Record<DeedKind, ToolFamily>> = {
	'run-command': 'run',
	'run-shell': 'run',
	'edit-file': 'edit',
	'start-agent': 'agent',
	'use-skill': 'agent',
};

const byTool: ReadonlyMap<string, ToolFamily> = new Map(
	agentTable.flatMap(({ tools }) =>
		(Object.entries(tools) as [DeedKind, readonly string[]][]).flatMap(([deed, names]) => {
			const family = ofDeed[deed];
			return family ? names.map((name) => [name, family] as const) : [];
		}),
	),
);

/** Reading tools mean nothing to a gate, so no table has them: their names begin alike in every client. */
const READS = /^(?:read|view|cat|grep|glob|search|find|list|ls|web|fetch|google_web)/i;

/** The family of a tool by its name in any client. */
export function toolFamily(tool: string): ToolFamily {
	return byTool.get(tool) ?? (READS.test(tool) ? 'read' : 'other');
}
