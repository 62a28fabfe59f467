import { geminiRow } from '#lib/agents/agent-table.ts';
import type { Json } from '#lib/json/json.ts';
import { textOf } from '#lib/json/json.ts';
import type { AgentAdapter } from '../agent-adapter.ts';
import { isNo, printer, readPrinted, reasonOf, type Shapes, unjudgedPrinter } from '../print-shared.ts';
import { deedReader } from '../read-deed.ts';
import { hookReader, restReader } from '../read-shared.ts';
import { transcripts } from './transcripts.ts';

const readCall = deedReader(geminiRow);
const denied = (reason: string): Json => ({ decision: 'deny', reason });

const shapes: Shapes = {
	call(said) {
		const { endsTurn, stopReason, input } = said;
		// Headless, a question hangs for ever.
		if (isNo(said)) {
			const stops = endsTurn && { continue: false, stopReason: stopReason ?? reasonOf(said) };
			return { ...denied(reasonOf(said)), ...stops };
		}
		return input ? { hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: input } } : null;
	},
	block: denied,
	context: (additionalContext, name) => ({ hookSpecificOutput: { hookEventName: name, additionalContext } }),
	listens: ['session-start', 'prompt', 'result'],
	denied,
};

/** Gemini CLI, run with 0.61.0. Its calls have no ids. */
export const gemini: AgentAdapter = {
	read: hookReader({
		row: geminiRow,
		readCall,
		differ(fields, point) {
			if (point === 'turn-end') {
				return { at: 'turn-end', message: textOf(fields.prompt_response, 64 * 1024), running: null };
			}
			const isPrompt = point === 'notice' && fields.notification_type === 'ToolPermission';
			return isPrompt
				? { at: 'notice', message: textOf(fields.message, 2000) ?? '', notice: 'permission_prompt' }
				: null;
		},
	}),
	readCall,
	restOf: restReader(['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'timestamp']),
	runInput: (_tool, input) => input,
	print: printer(shapes),
	printUnjudged: unjudgedPrinter(shapes),
	readPrinted,
	transcripts,
};
