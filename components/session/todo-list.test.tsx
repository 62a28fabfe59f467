import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TodoList } from './session-facts.tsx';

test('the latest todos are shown, each with its status as a word; an unknown status is shown as it is', () => {
	const todos = [
		{ content: 'Read the cart', status: 'completed' },
		{ content: 'Write the total', status: 'in_progress' },
		{ content: 'Test it', status: 'pending' },
		{ content: 'Ask Ada', status: 'constructor' },
	];
	const text = renderToStaticMarkup(<TodoList todos={todos} />).replaceAll(/<[^>]*>/g, ' ');
	expect(text.replaceAll(/\s+/g, ' ').trim()).toBe(
		'✓ completed Read the cart ● in progress Write the total · pending Test it constructor Ask Ada',
	);
});
