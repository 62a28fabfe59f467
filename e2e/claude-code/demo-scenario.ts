import type { RoutingPlan } from './project.ts';
import { type Block, call, delegate, replyText, type Script, type ScriptedReply } from './script.ts';

/** The session that `signalbox demo` shows: a small feature, planned, refused once, built, tested red and green. */
export const demoPrompt = 'Add a wishlist to the shop: add, remove and list items, each item at most once.';

export const demoPlan: RoutingPlan = {
	planId: 'route-wishlist-7f3a',
	status: 'in_progress',
	request: demoPrompt,
	phases: [
		{ phase: 1, tasks: [{ id: 't1', agent: 'planner', description: 'Break the wishlist down', status: 'executing' }] },
		{
			phase: 2,
			tasks: [
				{ id: 't2', agent: 'developer', description: 'Write src/wishlist.js', status: 'pending' },
				{ id: 't3', agent: 'tester', description: 'Write the tests first', status: 'pending' },
			],
		},
		{ phase: 3, tasks: [{ id: 't4', agent: 'reviewer', description: 'Review the change', status: 'pending' }] },
	],
};

/** The same plan with the architect in it: what happens when a person lets that call through. */
export const demoPlanWithArchitect: RoutingPlan = {
	...demoPlan,
	phases: [
		...demoPlan.phases,
		{ phase: 4, tasks: [{ id: 't5', agent: 'architect', description: 'Design the storage', status: 'pending' }] },
	],
};

const setStatus = `import { readFileSync, writeFileSync } from 'node:fs';
const path = '.vibe-engine/routing-state.json';
const plan = JSON.parse(readFileSync(path, 'utf8'));
for (const change of process.argv.slice(2)) {
	const [id, status] = change.split('=');
	for (const task of plan.phases.flatMap((phase) => phase.tasks)) if (task.id === id) task.status = status;
}
if (plan.phases.every((phase) => phase.tasks.every((task) => task.status === 'completed'))) plan.status = 'completed';
writeFileSync(path, JSON.stringify(plan, null, 2) + '\\n');
console.log(process.argv.slice(2).join(', '));
`;

const wrongWishlist = `export function createWishlist() {
	const items = [];
	return {
		add: (sku) => items.push(sku),
		remove: (sku) => items.splice(items.indexOf(sku), 1),
		list: () => [...items],
	};
}
`;

const wishlistTest = `import assert from 'node:assert/strict';
import test from 'node:test';
import { createWishlist } from '../src/wishlist.js';

test('an item is on the list once', () => {
	const wishlist = createWishlist();
	wishlist.add('mug');
	wishlist.add('mug');
	assert.deepEqual(wishlist.list(), ['mug']);
});

test('removing what is not there changes nothing', () => {
	const wishlist = createWishlist();
	wishlist.add('mug');
	wishlist.remove('lamp');
	assert.deepEqual(wishlist.list(), ['mug']);
});
`;

/** The files of the project beside plan and agents. */
export const demoFiles: Readonly<Record<string, string>> = {
	'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
	'scripts/plan.mjs': setStatus,
	'src/cart.js': 'export const createCart = () => new Map();\n',
	'.overtone/config.json': '{ "gates": { "routing": { "onMismatch": "deny" } } }\n',
};

const slowly = (delayMs: number, reply: ScriptedReply): ScriptedReply => ({ ...reply, delayMs });
const bash = (command: string, description: string): Block => ({ tool: 'Bash', input: { command, description } });

/** The script of every role. `dir` is the project's folder, since file tools want absolute paths. */
export function demoScript(dir: string): Script {
	const runTests = bash('node --test', 'Run the tests');
	return {
		main: [
			slowly(1500, {
				blocks: [
					{ text: 'The plan starts with the planner.' },
					delegate('planner', 'Break the wishlist down. Look at src/ first and name the files to write.', {
						background: false,
					}),
				],
			}),
			slowly(2000, {
				blocks: [
					{ text: 'Storage looks delicate. I ask the architect before anybody writes code.' },
					delegate('architect', 'Design the storage of the wishlist. Weigh a Set against an array.', {
						background: false,
					}),
				],
			}),
			slowly(2500, {
				blocks: [
					{ text: 'On to the code: developer and tester are next.' },
					bash('node scripts/plan.mjs t1=completed t2=executing t3=executing', 'Move the plan to phase 2'),
				],
			}),
			slowly(1200, {
				blocks: [
					delegate('developer', 'Write src/wishlist.js. Export createWishlist with add, remove and list.'),
					delegate('tester', 'Write test/wishlist.test.js. Cover duplicates and removing what is not there.'),
				],
			}),
			slowly(1500, replyText('Developer and tester are at work side by side.')),
			slowly(1500, replyText('The tests are written. The developer is still busy.')),
			slowly(1500, {
				blocks: [
					{ text: 'Both are done.' },
					bash('node scripts/plan.mjs t2=completed t3=completed t4=executing', 'Move the plan to phase 3'),
				],
			}),
			slowly(1200, {
				blocks: [delegate('reviewer', 'Review the change. Run the tests yourself.', { background: false })],
			}),
			slowly(1500, { blocks: [bash('node scripts/plan.mjs t4=completed', 'Close the plan')] }),
			slowly(1500, replyText('The wishlist is in: add, remove and list, each item at most once. Two tests pass.')),
		],
		planner: [
			slowly(1500, call('Read', { file_path: `${dir}/package.json` }, 'What is here already?')),
			slowly(1200, { blocks: [bash('ls src', 'List the sources')] }),
			slowly(1800, replyText('Write src/wishlist.js (createWishlist: add, remove, list) and test/wishlist.test.js.')),
		],
		architect: [
			slowly(1500, call('Read', { file_path: `${dir}/src/cart.js` }, 'How does the cart keep its items?')),
			slowly(2000, replyText('Use a Set: no duplicates, insertion order, and deleting what is missing does nothing.')),
		],
		developer: [
			slowly(2500, call('Write', { file_path: `${dir}/src/wishlist.js`, content: wrongWishlist }, 'A first version.')),
			slowly(7000, { blocks: [{ text: 'Now the tests.' }, runTests] }),
			slowly(3000, {
				blocks: [
					{ text: 'Duplicates, and removing what is not there. A Set does both.' },
					{ tool: 'Read', input: { file_path: `${dir}/src/wishlist.js` } },
				],
			}),
			slowly(
				2000,
				call('Edit', {
					file_path: `${dir}/src/wishlist.js`,
					old_string: 'const items = [];',
					new_string: 'const items = new Set();',
				}),
			),
			slowly(
				1500,
				call('Edit', {
					file_path: `${dir}/src/wishlist.js`,
					old_string: 'add: (sku) => items.push(sku),\n\t\tremove: (sku) => items.splice(items.indexOf(sku), 1),',
					new_string: 'add: (sku) => items.add(sku),\n\t\tremove: (sku) => items.delete(sku),',
				}),
			),
			slowly(1500, { blocks: [runTests] }),
			slowly(1500, replyText('src/wishlist.js is done; both tests pass.')),
		],
		tester: [
			slowly(
				2000,
				call(
					'Write',
					{ file_path: `${dir}/test/wishlist.test.js`, content: wishlistTest },
					'Two cases that are easy to miss.',
				),
			),
			slowly(2000, replyText('test/wishlist.test.js holds two cases: duplicates, and removing what is not there.')),
		],
		reviewer: [
			slowly(2000, call('Read', { file_path: `${dir}/src/wishlist.js` }, 'The change first.')),
			slowly(1500, { blocks: [runTests] }),
			slowly(2000, replyText('Approved. Small, clear, tested.')),
		],
	};
}
