import { useContext } from 'react';
import type { Me } from '#lib/contract/routes/me.ts';
import { LANGUAGE_COOKIE, languageNames, languages } from '#lib/messages/language.ts';
import type { Plain, Say } from '#lib/messages/say.ts';
import { clockOrDate, hourMinute, isSameDay } from '#lib/time/clock.ts';
import { SpeakLanguage, useSay } from '../language/use-say.ts';
import { forgetSession } from '../live/browser-storage.ts';
import { callRoute } from '../live/call-route.ts';
import { useNow } from '../live/now.ts';
import { useAction } from '../live/use-action.ts';
import { Alert } from '../ui/answer-state.tsx';
import { Button } from '../ui/button.tsx';
import { DetailFact } from '../ui/detail-fact.tsx';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { Select } from '../ui/select.tsx';
import { Advice } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { NotifySwitch } from './notify/notify-switch.tsx';
import { keepChoice } from './theme.ts';

const tiers: Record<Me['tier'], Plain> = {
	T0: 'this home only observes: no call waits, nobody decides, and no grant lets anything run',
	T1: 'a sign-in or token decides; this stops web pages, other users and accidents, not the agent itself',
	T2: 'a passkey decides; a program cannot approve by itself over HTTP',
	T3: 'a passkey decides, and the agent cannot reach the server or the hooks',
	H0: 'this hub only watches: decisions are made at the machines themselves',
	H1: 'some machines believe this hub: whoever has the hub can decide there',
	H2: 'machines check the passkey of whoever decides here',
	T4: 'somebody elsewhere decides, and the hook checks a signed receipt',
};

export function MeSheet({ me, onClose }: { me: Me; onClose: () => void }) {
	const say = useSay();
	const now = useNow();
	const { isBusy, refusal, run } = useAction();
	async function signOut() {
		const answer = await run(callRoute('POST /logout'));
		// 401: already signed out.
		if (!answer.ok && answer.status !== 401) return;
		forgetSession();
		location.assign('/login');
	}
	return (
		<Dialog title={say('This sign-in')} onClose={onClose}>
			<dl className="p-4">
				<WhoFact me={me} />
				<DetailFact name={say('Protection')}>{`${say(tiers[me.tier])} (${me.tier})`}</DetailFact>
				<AccessFact me={me} onLeave={onClose} />
				<DetailFact name={say('Notify me')}>
					<NotifySwitch isOperator={me.role === 'operator'} />
				</DetailFact>
				<DetailFact name={say('Language')}>
					<LanguageSelect />
				</DetailFact>
				<DetailFact isCode name={say('Home')}>
					{me.home}
				</DetailFact>
				<DetailFact name={say('Let in')}>
					{me.minted.length === 0 && say('No link or operator token was made in the last 24 hours.')}
					<ul>
						{me.minted.map(({ at, kind }) => (
							<li key={`${at} ${kind}`}>{mintedWords(say, kind, at, now)}</li>
						))}
					</ul>
				</DetailFact>
			</dl>
			<div className="flex flex-wrap items-center gap-3 border-line border-t p-4">
				<Button disabled={isBusy} onClick={() => void signOut()}>
					{say('Sign out')}
				</Button>
				<span className="text-muted">
					<Advice>{say('A fresh link comes from `signalbox open`.')}</Advice>
				</span>
				{refusal && <Alert>{say('You are still signed in: {why}', { why: say.known(refusal) })}</Alert>}
			</div>
		</Dialog>
	);
}

const minted: ReadonlyMap<string, Plain> = new Map([
	['link:mint', 'A sign-in link'],
	['token:mint', 'An operator token'],
	['passkey:enrol', 'A passkey'],
]);

/** `A sign-in link was made at 00:07`, with the day if it is not today. */
function mintedWords(say: Say, kind: string, at: string, now: number): string {
	const what = say(minted.get(kind) ?? 'Something that lets in');
	const time = hourMinute(at);
	if (isSameDay(Date.parse(at), now)) return say('{what} was made at {time}', { what, time });
	return say('{what} was made at {time} on {day}', { what, time, day: clockOrDate(at, now, say.language) });
}

const choices = languages.map((value) => ({ value, label: languageNames[value] }));

/** Changes the language in place, without losing open state. */
function LanguageSelect() {
	const say = useSay();
	const speak = useContext(SpeakLanguage);
	function choose(chosen: string) {
		const language = languages.find((each) => each === chosen) ?? languages[0];
		keepChoice(LANGUAGE_COOKIE, language);
		void speak(language);
	}
	return <Select label={say('Language')} value={say.language} choices={choices} onChoose={choose} />;
}

function WhoFact({ me: { role, approval, hub } }: { me: Me }) {
	const say = useSay();
	if (hub) {
		const roles = [...new Set(hub.roles.map((one) => say(one.role)))].join(', ');
		return (
			<DetailFact name={say('Person')}>
				<AgentText>{hub.name}</AgentText>, {roles || say('no role: does not get in')}
			</DetailFact>
		);
	}
	return (
		<DetailFact name={say('Role')}>
			{approval === undefined
				? say(role)
				: say('{role}, came by a link and may decide that one call; ends soon after it', { role: say(role) })}
		</DetailFact>
	);
}

function AccessFact({ me: { role, hub }, onLeave }: { me: Me; onLeave: () => void }) {
	const say = useSay();
	if (role !== 'operator' && !hub) return null;
	return (
		<DetailFact name={say('Access')}>
			<TextLink href={hub ? '/people' : '/access'} onClick={onLeave}>
				{hub ? say('Your sign-ins') : say('Passkeys, sign-ins and tokens')}
			</TextLink>
		</DetailFact>
	);
}
