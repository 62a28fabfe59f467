import { piRow } from '#lib/agents/agent-table.ts';
import type { AgentAdapter } from '../agent-adapter.ts';
import { isNo, printer, readPrinted, reasonOf, type Shapes, unjudgedPrinter } from '../print-shared.ts';
import { deedReader } from '../read-deed.ts';
import { hookReader, restReader } from '../read-shared.ts';
import { transcripts } from './transcripts.ts';

const readCall = deedReader(piRow);

/** What our extension in the client reads: see plugin-text.ts. */
const shapes: Shapes = {
	call(said) {
		if (isNo(said)) return { decision: 'deny', reason: reasonOf(said) };
		return said.input ? { args: said.input } : null;
	},
	context: (context) => ({ context }),
	listens: ['prompt'],
	denied: (reason) => ({ decision: 'deny', reason }),
};

/** pi, run with 0.73.1. Our extension hands on what happens in shared names. */
export const pi: AgentAdapter = {
	read: hookReader({ row: piRow, readCall }),
	readCall,
	restOf: restReader(['session_id', 'transcript_path', 'cwd', 'hook_event_name']),
	runInput: (_tool, input) => input,
	print: printer(shapes),
	printUnjudged: unjudgedPrinter(shapes),
	readPrinted,
	transcripts,
};
