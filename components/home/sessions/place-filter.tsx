import { parseAsInteger, parseAsString, useQueryStates } from 'nuqs';
import type { SourceOptions } from '#lib/contract/sessions/session-queries.ts';
import type { Say } from '#lib/messages/say.ts';
import { useSay } from '../../language/use-say.ts';
import { useRoute } from '../../live/use-answer.ts';
import { type Filter, namesToChoose } from '../../ui/filter-control.tsx';

export const ROWS_AT_FIRST = 100;
export const MORE_ROWS = 200;

const parsers = {
	q: parseAsString.withDefault(''),
	/** At a hub: filters by the names of team, project and machine. */
	team: parseAsString,
	project: parseAsString,
	machine: parseAsString,
	rows: parseAsInteger.withDefault(ROWS_AT_FIRST),
};

/** Filters and number of rows of the session list, in the URL. */
export const useSessionListParams = () => useQueryStates(parsers, { history: 'replace', scroll: false });

const REFRESH_MS = 10_000;
const titles = { team: 'Team', machine: 'Machine', project: 'Project' } as const;
const kinds = ['team', 'machine', 'project'] as const;

/** A hub's machines, and filters by team, machine and project; a filter has no options if there is only one name. */
export function usePlaces(isHub: boolean): { filters: Filter[]; machines: SourceOptions['machines'] } {
	const say = useSay();
	const [params, setParams] = useSessionListParams();
	const { data } = useRoute('GET /api/places', isHub ? {} : null, { everyMs: REFRESH_MS });
	const machines = countsByName(data?.machines ?? []);
	const names = { team: data?.teams ?? [], machine: [...machines.keys()], project: data?.projects ?? [] };
	const labelOf = (name: string, counts: MachineCounts | undefined) =>
		[name, counts && countWords(counts, say)].filter(Boolean).join(': ');
	const filters = kinds.map((kind) => ({
		...{ label: say(titles[kind]), value: params[kind], titleOf: (name: string) => name },
		choices: namesToChoose(names[kind]).map(({ value }) => ({
			value,
			label: labelOf(value, kind === 'machine' ? machines.get(value) : undefined),
		})),
		onChoose: (name: string | null) => void setParams({ [kind]: name, rows: null }),
	}));
	return { filters, machines: data?.machines ?? [] };
}

type MachineCounts = Pick<SourceOptions['machines'][number], 'running' | 'waiting' | 'denied'>;

const looks = [
	{ of: 'waiting', word: '{count} waiting' },
	{ of: 'running', word: '{count} running' },
	{ of: 'denied', word: '{count} denied in a day' },
] as const satisfies readonly { of: keyof MachineCounts; word: string }[];

/** Adds up the counts of machines with the same name. */
export function countsByName(machines: SourceOptions['machines']): ReadonlyMap<string, MachineCounts> {
	const sums = new Map<string, MachineCounts>();
	for (const { name, running, waiting, denied } of machines) {
		const sum = sums.get(name) ?? { running: 0, waiting: 0, denied: 0 };
		sums.set(name, { running: sum.running + running, waiting: sum.waiting + waiting, denied: sum.denied + denied });
	}
	return sums;
}

/** `2 waiting, 1 running` */
export const countWords = (counts: MachineCounts, say: Say): string =>
	looks.flatMap(({ of, word }) => (counts[of] > 0 ? say(word, { count: counts[of] }) : [])).join(', ');
