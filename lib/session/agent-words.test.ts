import { expect, test } from 'vitest';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { chinese } from '../messages/chinese.ts';
import { sayIn } from '../messages/say.ts';
import { inWords, sentence } from '../messages/sentence.ts';
import { chapterOf } from '../replay/chapters.ts';
import { pinsOf } from '../timeline/lanes.ts';
import { emptyView } from './fold.ts';
import { judgementsOf } from './judgement.ts';
import { eventRow } from './row.ts';
import { summarise } from './summarise.ts';
import { type EventTuple, viewAfter } from './testing/view-after.ts';

const say = sayIn('zh-CN', chinese);
const NOW = Date.UTC(2026, 0, 1, 13);

/** Events in which an agent, a model or a person says this in every field that is theirs. */
const eventsWith = (words: string): EventTuple[] => [
	['prompt:submit', { prompt: words, source: 'user' }],
	['message:show', { text: words }],
	['note:add', { text: words, labels: [words], by: { role: 'operator', via: 'browser' } }],
	['agent:start', { agent: words }, 'a1'],
	['agent:complete', { agent: words, message: words }, 'a1'],
	['agent:complete', { agent: words, result: 'pass', message: words }, 'a1'],
	['agent:error', { agent: words, reason: words }, 'a2'],
	['stage:retry', { stage: words, reason: words }],
	['command:block', { command: words, reason: words }],
	['tool:call', { tool: words, input: { command: words } }],
	['supervisor:verdict', { hook: words, allow: false, feedback: words, iteration: 1, max: 20 }],
	['supervisor:review', { hook: words, iteration: 1, max: 20 }],
	['validator:assessment', { validator: words, allowed: false, rating: words, subject: words, reasoning: words }],
	['validator:subtasks', { assessmentId: 'x', featureName: words, subtasks: [words] }],
	['todo:update', { todos: [{ content: words, status: words }] }],
	['session:notice', { message: words }],
	['workflow:abort', { reason: words }],
	['hook:event', { name: words, fields: { error: words } }],
];

test('no words of an agent are translated, though they are words of ours', () => {
	for (const words of ['reviewing', 'denied', 'held, ran', 'held', 'allowed', 'failed', 'thinking · denied']) {
		const events = eventsWith(words).map(
			([type, fields, agentId], index) =>
				({
					...{
						id: `e${index}`,
						ts: '2026-01-01T12:00:00.000Z',
						category: '',
						label: '',
						sessionId: 's',
						seq: index + 1,
					},
					...{ type, agentId, ...fields },
				}) as IndexedEvent,
		);
		for (const event of events) {
			const row = eventRow(event);
			const count = (text: string) => text.split(words).length;
			expect(count(say.field(row, 'title')), `${event.type}: ${row.title}`).toBe(count(row.title));
			for (const pin of pinsOf([row])) expect(count(say.field(pin, 'title'))).toBe(count(pin.title));
			const chapter = chapterOf(event, NOW, emptyView('s'));
			if (chapter) expect(count(say.field(chapter, 'title'))).toBe(count(chapter.title));
		}
		const line = inWords({ text: [words, sentence('ran')] });
		expect(say.field(line, 'text')).toBe(`${words} · 已运行`);
		const view = viewAfter(...eventsWith(words));
		const [validator] = judgementsOf(view, NOW).filter(({ by }) => by === 'validator');
		expect(validator?.text).toBe(`${words}: ${words}`);
		const verdict = judgementsOf(view, NOW).find(({ by, tone }) => by === 'supervisor' && tone === 'err');
		if (verdict) expect(say.field(verdict, 'text')).toBe(`已阻止 1/20：${words}`);
		const { doing, stuck } = summarise({ ...view, turn: 'idle', lastMessage: words }, NOW);
		expect(doing && say.field(doing, 'text')).toBe(words);
		expect(stuck).toBeUndefined();
		const failed = viewAfter(['workflow:start', { workflowType: 'quick' }], ['error:fatal', { reason: words }]);
		const waits = summarise(failed, NOW).stuck;
		expect(waits && say.field(waits, 'why')).toBe(words);
	}
});
