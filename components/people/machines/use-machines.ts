import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useCallback, useState } from 'react';
import { callRoute } from '../../live/call-route.ts';
import { useAnswer } from '../../live/use-answer.ts';
import { groups } from './machine-looks.ts';

const AGAIN_MS = 4000;

const parsers = {
	team: parseAsString,
	state: parseAsStringLiteral(groups),
	q: parseAsString.withDefault(''),
	machine: parseAsInteger,
};

export function useMachines(isAllowed: boolean) {
	const [params, setParams] = useQueryStates(parsers, { history: 'replace', scroll: false });
	const { team, state, q } = params;
	const ask = useCallback(() => {
		const query = { team: team ?? undefined, group: state ?? undefined, q: q.trim() || undefined };
		return callRoute('GET /api/hub/edges', { query });
	}, [team, state, q]);
	const { data, error, reload } = useAnswer(isAllowed ? ask : null, AGAIN_MS);
	const [shown, setShown] = useState(data);
	if (data !== null && data !== shown) setShown(data);
	return { list: data ?? shown, error, reload, params, setParams };
}
