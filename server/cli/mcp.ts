import { isSafeId } from '#lib/ids/safe-id.ts';
import { defineCommand, EXIT, UsageError } from '../process/command.ts';
import { homeOf, projectOf } from '../process/home.ts';

/** `signalbox mcp` */
export const mcp = defineCommand({
	usage: 'mcp [--session ID] [--project DIR]',
	about: [
		'Answers an agent or another tool about what is recorded, over stdin and stdout (Model Context Protocol): its plan,',
		'its stage, what was denied and who decides, the story, search, decisions and features. Read only. Asks the running',
		'server with a token that can only read: SIGNALBOX_TOKEN, or one that is kept in the home.',
	].join('\n'),
	options: {
		session: {
			type: 'string',
			value: 'ID',
			about: 'the session that asks (default: that of the client that runs this)',
		},
		project: { type: 'string', value: 'DIR', about: 'the project (default: this folder)' },
	},
	examples: ['claude mcp add signalbox -- signalbox mcp', 'signalbox mcp --session 3f2a'],
	exits: { 0: 'the client has ended the conversation' },
	async run(values, _words, terminal) {
		const home = homeOf(terminal);
		const project = projectOf(values.project ?? terminal.env.CLAUDE_PROJECT_DIR, terminal);
		const named = values.session ?? terminal.env.CLAUDE_CODE_SESSION_ID;
		if (named !== undefined && !isSafeId(named)) {
			throw new UsageError(`${JSON.stringify(named)} cannot be a session: letters, digits, - and _, at most 128.`);
		}
		const [{ StdioServerTransport }, { createRecordReader }, { createRecordTools }, { findOwnSession }] =
			await Promise.all([
				import('@modelcontextprotocol/sdk/server/stdio.js'),
				import('../connect/mcp/record-reader.ts'),
				import('../connect/mcp/record-tools.ts'),
				import('../connect/mcp/record-reader.ts'),
			]);
		const read = createRecordReader(home, terminal.env);
		// Looked for at each question: a client that clears its conversation goes on with another session.
		const ownSession = async () => named ?? findOwnSession(read, project);
		const tools = createRecordTools({ read, ownSession, now: Date.now });
		// A file as stdin, such as /dev/null, ends and is never closed.
		const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
		await tools.connect(new StdioServerTransport());
		await ended;
		await tools.close();
		return EXIT.done;
	},
});
