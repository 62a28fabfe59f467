import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sessionFolder } from './overtone-home.ts';

/** Whether the session has a workflow.json: one look at the file system. */
export function hasWorkflowFile(home: string, sessionId: string): boolean {
	try {
		const path = join(sessionFolder(home, sessionId), 'workflow.json');
		return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
	} catch {
		return false;
	}
}
