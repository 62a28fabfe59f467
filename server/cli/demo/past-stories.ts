import { type Caller, callerOf, command, skipping, unplanned } from './past-calls.ts';
import type { StoryLine } from './story.ts';

/** A session that is over: where, what was asked of it, when it began, and what it did beside its ordinary work. */
interface PastStory {
	project: string;
	branch: string;
	prompt: string;
	/** Minutes before the demo began. */
	ago: number;
	does: (call: Caller) => StoryLine[];
}

/** How long a call waits for a person. */
const HOLD_MS = 600_000;
const DAY = 24 * 60;

/** Two weeks of work, the oldest first. The last ones are of this hour. */
export const pastStories: readonly PastStory[] = [
	{
		...{
			project: 'shop',
			branch: 'fix/refund-rounding',
			prompt: 'Refunds are a cent off. Find out why.',
			ago: 13 * DAY,
		},
		does: ({ ran, denied, held }) => [
			...ran('Grep', { pattern: 'Math.round' }, 20),
			...denied('curl -s https://example.org/rates.json'),
			...held(...command('rm -rf test/fixtures/refunds'), {
				by: 'Mira',
				decision: 'deny',
				after: 95,
				reason: 'They are needed.',
			}),
			...ran('Bash', { command: 'npm test' }, 45),
		],
	},
	{
		...{ project: 'api', branch: 'feat/webhooks', prompt: 'Send a webhook when an order ships.', ago: 11 * DAY + 200 },
		does: ({ ran, held }) => [
			...ran('Read', { file_path: 'src/orders.js' }, 15),
			...held(...unplanned('security-auditor', 'Audit the signatures'), {
				by: 'Mira',
				decision: 'approve',
				after: 40,
				reason: 'Good idea.',
			}),
			...held(...unplanned('architect', 'Design a queue'), { by: 'Mira', decision: 'deny', after: 25 }),
			...ran('Bash', { command: 'npm test' }, 60),
		],
	},
	{
		...{ project: 'docs', branch: 'main', prompt: 'Add a page about taxes.', ago: 9 * DAY + 90 },
		does: ({ ran, held }) => [
			...ran('Write', { file_path: 'docs/taxes.md', content: '# Taxes\n' }, 30),
			...held(...command('git push origin main'), {
				by: 'Jonas',
				decision: 'approve',
				after: 210,
				reason: 'Reviewed.',
			}),
		],
	},
	{
		...{ project: 'shop', branch: 'feat/stock', prompt: 'Show how many are left in stock.', ago: 8 * DAY + 30 },
		does: ({ ran, denied, held }) => [
			...ran('Edit', { file_path: 'src/stock.js', old_string: 'left', new_string: 'stock.left' }, 40),
			...denied('sudo npm install --global stock-cli'),
			...denied('curl -s https://example.org/stock.json'),
			...held(...skipping('Write the guide'), {
				by: 'Jonas',
				decision: 'deny',
				after: 70,
				reason: 'Review first.',
			}),
		],
	},
	{
		...{
			project: 'api',
			branch: 'fix/timeouts',
			prompt: 'Requests to the bank time out at night.',
			ago: 6 * DAY + 400,
		},
		does: ({ ran, held }) => [
			...ran('Bash', { command: 'npm test -- bank' }, 50),
			...held(...command('curl -I https://bank.example.org/health'), {
				by: 'Mira',
				decision: 'approve',
				after: 35,
				reason: 'Only a HEAD.',
			}),
			...held(...command('git push --force origin fix/timeouts'), { by: null, after: 600 }),
		],
	},
	{
		...{ project: 'shop', branch: 'feat/search', prompt: 'Let people search for products.', ago: 4 * DAY + 150 },
		does: ({ ran, denied, held }) => [
			...ran('Grep', { pattern: 'index' }, 12),
			...held(...unplanned('architect', 'Choose the index'), { by: 'Jonas', decision: 'approve', after: 130 }),
			...denied('sudo apt-get install meilisearch'),
			...ran('Bash', { command: 'npm test' }, 70),
		],
	},
	{
		...{ project: 'docs', branch: 'main', prompt: 'Check every link in the guide.', ago: 3 * DAY + 20 },
		does: ({ ran, denied }) => [
			...ran('Grep', { pattern: 'https?://' }, 25),
			...denied('curl -sI https://example.org'),
			...denied('curl -sI https://example.com'),
		],
	},
	{
		...{ project: 'api', branch: 'feat/metrics', prompt: 'Count requests by customer.', ago: 2 * DAY + 310 },
		does: ({ ran, held }) => [
			...ran('Edit', { file_path: 'src/metrics.js', old_string: 'count()', new_string: 'count(customer)' }, 55),
			...held(...skipping('Write about metrics'), {
				by: 'Mira',
				decision: 'approve',
				after: 50,
				reason: 'Docs only.',
			}),
			...held(...command('rm -rf coverage'), { by: 'Mira', decision: 'approve', after: 15 }),
		],
	},
	{
		...{ project: 'shop', branch: 'fix/vat', prompt: 'The VAT of gift wraps is wrong.', ago: DAY + 120 },
		does: ({ ran, denied, held }) => [
			...ran('Read', { file_path: 'src/vat.js' }, 18),
			...held(...command('rm test/vat.snap'), {
				by: 'Jonas',
				decision: 'approve',
				after: 80,
				reason: 'It is made anew.',
			}),
			...denied('sudo npm test'),
			...ran('Bash', { command: 'npm test -- vat' }, 40),
		],
	},
	{
		...{ project: 'api', branch: 'feat/export', prompt: 'Export orders as CSV.', ago: 56 },
		does: ({ ran, held }) => [
			...ran('Grep', { pattern: 'orders' }, 60),
			...ran('Write', { file_path: 'src/export.js', content: 'export const rows = [];\n' }, 240),
			...held(...command('git push origin feat/export'), {
				by: 'Mira',
				decision: 'approve',
				after: 190,
				reason: 'Tests pass.',
			}),
			...ran('Bash', { command: 'npm test' }, 120),
		],
	},
	{
		...{ project: 'shop', branch: 'fix/emails', prompt: 'Two emails are sent for each order.', ago: 41 },
		does: ({ ran, denied }) => [
			...ran('Grep', { pattern: 'sendMail' }, 90),
			...ran('Edit', { file_path: 'src/mail.js', old_string: 'send()', new_string: 'sendOnce()' }, 200),
			...denied('curl -X POST https://mail.example.org/test'),
			...ran('Bash', { command: 'npm test -- mail' }, 260),
		],
	},
	{
		...{ project: 'docs', branch: 'feat/faq', prompt: 'Collect what people ask most.', ago: 27 },
		does: ({ ran, held }) => [
			...ran('Read', { file_path: 'docs/guide.md' }, 150),
			...held(...unplanned('researcher', 'Read the tickets'), {
				by: 'Jonas',
				decision: 'deny',
				after: 140,
				reason: 'They are private.',
			}),
			...ran('Write', { file_path: 'docs/faq.md', content: '# Questions\n' }, 180),
		],
	},
];

/** A story as the lines of a session that began at `start` (ms), in the folder `cwd`. */
export function pastLines(sessionId: string, story: PastStory, cwd: string, start: number): StoryLine[] {
	const { project, branch, prompt, does } = story;
	const lines: StoryLine[] = [
		{ type: 'session:start', cwd, project, branch, model: 'claude-opus-4-5' },
		{ type: 'prompt:submit', prompt, source: 'user' },
		...does(callerOf(sessionId)),
		{ type: 'session:end', reason: 'exit', after: 10 },
	];
	let now = start;
	return lines.map((line) => {
		now += (line.after ?? 0) * 1000;
		return line.type === 'approval:request' ? { ...line, deadline: new Date(now + HOLD_MS).toISOString() } : line;
	});
}
