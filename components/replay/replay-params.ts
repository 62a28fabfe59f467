import { parseAsArrayOf, parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { chapterKinds } from '#lib/contract/archives/chapter-kinds.ts';
import type { ChapterKind } from '#lib/contract/archives/replay.ts';

/** Stages and prompts are on the axis already, and many. */
const shownAtFirst: ChapterKind[] = chapterKinds.filter((kind) => kind !== 'stage' && kind !== 'prompt');

const parsers = {
	/** The instant in ms; the whole recording without it. */
	at: parseAsInteger,
	session: parseAsString,
	/** The chapter that was opened, by the seq of its event in that session. */
	chapter: parseAsInteger,
	/** Of which kind the first chapter is gone to as soon as the recording is here. */
	go: parseAsStringLiteral(chapterKinds),
	kinds: parseAsArrayOf(parseAsStringLiteral(chapterKinds)).withDefault(shownAtFirst),
};

export const useReplayParams = () => useQueryStates(parsers, { history: 'replace', scroll: false });
