import { keyIdOf } from '#lib/ids/safe-id.ts';
import { isJson, type Json } from '#lib/json/json.ts';
import type { AgentAdapter } from '../agent-adapter.ts';
import { printDecision, printUnjudged } from './print-decision.ts';
import { readCall, readHook, runInput } from './read-hook.ts';
import { readPrinted } from './read-printed.ts';
import { readSupervisorInput } from './read-supervisor-input.ts';
import { transcripts } from './transcripts.ts';

const IN_ENVELOPE = new Set(['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'agent_id']);

/** Claude Code, run with 2.1.112 to 2.1.330. */
export const claudeCode: AgentAdapter = {
	read: readHook,
	readCall,
	runInput,
	restOf: (raw: Json) => Object.fromEntries(Object.entries(raw).filter(([key]) => !IN_ENVELOPE.has(key))),
	callOfAgent(metaFile) {
		try {
			const meta: unknown = JSON.parse(metaFile);
			return isJson(meta) ? keyIdOf(meta.toolUseId, 'call') : undefined;
		} catch {
			return undefined;
		}
	},
	print: printDecision,
	printUnjudged,
	readReviewed: readSupervisorInput,
	readPrinted,
	transcripts,
};
