import type { Say } from '../messages/say.ts';
import type { Row } from './row.ts';

/** The whole title of these is what a person or an agent said. */
const SPOKEN: readonly string[] = ['prompt:submit', 'message:show', 'note:add', 'tool:call'];

/** The title of a row in the reader's language; what people and agents said in it stays as it came. */
export function rowTitle({ type, title }: Pick<Row, 'type' | 'title'>, say: Say): string {
	if (SPOKEN.includes(type)) return title;
	if (type !== 'agent:complete') return say.told(title);
	const [agent = '', result, ...report] = title.split(' · ');
	return [agent, ...(result === undefined ? [] : [say.told(result)]), ...report].join(' · ');
}
