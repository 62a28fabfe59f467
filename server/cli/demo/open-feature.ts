import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';

const PROPOSAL = `# Gift cards

People pay with a **gift card**, alone or beside another means.

- a card has a balance and an end
- what a card does not cover is asked for
- nothing is taken twice, see [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#name-idempotent-methods)
`;

const PLAN = `# Plan

| stage | what | who |
| --- | --- | --- |
| ARCH | where a balance is kept | architect |
| TEST | a card with too little | tester |
| DEV | \`pay(total - card.balance)\` | developer |

> The total must never fall below zero.

\`\`\`js
pay(Math.max(0, total - card.balance))
\`\`\`
`;

/** Its boxes; one stands for all stages of a name. */
export const GIFT_CARD_STAGES = ['PLAN', 'ARCH', 'TEST', 'DEV', 'REVIEW', 'RETRO', 'DOCS'];

/** The feature that the demo's workflow is for, in progress below `project`, with its first `done` stages ticked. */
export function writeOpenFeature(project: string, created: number, done: number): void {
	const folder = join(project, 'specs/features/in-progress/gift-cards');
	makeFolder(folder, 0o777);
	const boxes = GIFT_CARD_STAGES.map((stage, at) => `- [${at < done ? 'x' : ' '}] ${stage}\n`).join('');
	const head = `---\nfeature: gift-cards\nworkflow: standard\ncreated: ${new Date(created).toISOString()}\n---\n`;
	const texts = { 'proposal.md': PROPOSAL, 'plan.md': PLAN, 'tasks.md': `${head}## Tasks\n${boxes}` };
	for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
}
