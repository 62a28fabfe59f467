import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { EdgeState, HubEdge } from '#lib/contract/hub/edges.ts';
import { groupLooks, groupOf } from '#lib/hub/machine-looks.ts';
import { chinese } from '#lib/messages/chinese.ts';
import { english, type Say, sayIn } from '#lib/messages/say.ts';
import { Language } from '../../language/use-say.ts';
import { JoinedMachines } from './add-machine.tsx';
import { MachineActions } from './machine-dialog.tsx';

test('a pending machine is shown as pending and can be accepted or refused, in each language', () => {
	const offered = (state: EdgeState, say: Say) => {
		const props = { edge: { id: 1, state } as HubEdge, onChange: () => undefined };
		const text = renderToStaticMarkup(createElement(Language, { value: say }, createElement(MachineActions, props)));
		return [...text.matchAll(/<button[^>]*>([^<]*)/g)].map(([, word]) => word);
	};
	expect(offered('pending', english)).toEqual(['Take it in…', 'Revoke…']);
	expect(offered('quarantined', english)).toEqual(['Take it back…', 'Revoke…']);
	expect(offered('joined', english)).toEqual(['Revoke…']);
	const other = sayIn('zh-CN', chinese);
	expect(offered('pending', other)).toEqual(['接纳…', '撤销…']);
	expect(groupOf({ state: 'pending', connected: false } as HubEdge)).toBe('pending');
	expect([english(groupLooks.pending.word), other(groupLooks.pending.word)]).toEqual(['Pending', '待接纳']);
});

test('the person who made a join line sees which machines joined by it and which wait to be accepted', () => {
	const shown = (...states: EdgeState[]) => {
		const edges = states.map((state, index) => ({ name: `m${index}`, state }));
		const text = renderToStaticMarkup(
			createElement(Language, { value: english }, createElement(JoinedMachines, { edges })),
		);
		return text.replaceAll(/<[^>]*>/g, '');
	};
	expect(shown()).toBe('◆ Waiting for the machine…');
	expect(shown('joined')).toBe('✓ Joined: m0');
	expect(shown('pending', 'joined', 'pending')).toBe('✓ Joined: m1◆ To be accepted: m0, m2');
});
