import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { RehearsedChange } from './gate-row.tsx';

const answer = { sessions: 1, judged: 2, notJudged: 0, added: 0, spared: 0, changed: [], next: null };
const shown = (notJudged: number) => renderToStaticMarkup(<RehearsedChange answer={{ ...answer, notJudged }} />);

test('a rehearsal promises that nothing would differ only if all of history could be judged', () => {
	expect(shown(0)).toContain('nothing of the last 30 days would differ');
	expect(shown(3)).not.toContain('nothing of the last 30 days');
	expect(shown(3)).toContain('3 verdicts could not be judged');
});
