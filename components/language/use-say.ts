import { createContext, useContext } from 'react';
import type { Language as Tag } from '#lib/messages/language.ts';
import { english, type Say } from '#lib/messages/say.ts';

export const Language = createContext<Say>(english);

/** Changes the language of the pages. */
export const SpeakLanguage = createContext<(language: Tag) => Promise<void>>(async () => undefined);

export const useSay = (): Say => useContext(Language);
