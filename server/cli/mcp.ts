import { isSafeId } from '#lib/ids/safe-id.ts';
import { defineCommand, EXIT, UsageError } from '../process/command.ts';
import { homeOf, projectOf } from '../process/home.ts';

export const mcp = defineCommand({
	usage: 'mcp [--session ID] [--project DIR]',
	about: [
		'Runs an MCP server on stdin and stdout, so that an agent or a tool can query the record: plan, stage, denials and who',
		'decides them, story, search, decisions and features. Read only. Asks the running server with SIGNALBOX_TOKEN, or with',
		'a read-only token from the home.',
	].join('\n'),
	options: {
		session: { type: 'string', value: 'ID', about: 'session to answer for (default: that of the calling client)' },
		project: { type: 'string', value: 'DIR', about: 'project folder (default: the current one)' },
	},
	examples: ['claude mcp add signalbox -- signalbox mcp', 'signalbox mcp --session 3f2a'],
	exits: { 0: 'the client closed the connection' },
	async run(values, _words, terminal) {
		const home = homeOf(terminal);
		const project = projectOf(values.project ?? terminal.env.CLAUDE_PROJECT_DIR, terminal);
		const named = values.session ?? terminal.env.CLAUDE_CODE_SESSION_ID;
		if (named !== undefined && !isSafeId(named)) {
			throw new UsageError(`${JSON.stringify(named)} is not a session id: use letters, digits, - and _, at most 128.`);
		}
		const [{ StdioServerTransport }, { createRecordReader }, { createRecordTools }, { findOwnSession }] =
			await Promise.all([
				import('@modelcontextprotocol/sdk/server/stdio.js'),
				import('../connect/mcp/record-reader.ts'),
				import('../connect/mcp/record-tools.ts'),
				import('../connect/mcp/record-reader.ts'),
			]);
		const read = createRecordReader(home, terminal.env);
		// Looked up for each query: after /clear a client continues with another session.
		const ownSession = async () => named ?? findOwnSession(read, project);
		const tools = createRecordTools({ read, ownSession, now: Date.now });
		// A stdin that is a file, such as /dev/null, ends and is never closed.
		const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
		await tools.connect(new StdioServerTransport());
		await ended;
		await tools.close();
		return EXIT.done;
	},
});
