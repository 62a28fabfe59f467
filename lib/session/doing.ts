import type { Doing } from '../contract/sessions/read-model/session-summary.ts';
import { tell } from '../messages/tell.ts';
import { shortPath } from '../text/short-path.ts';
import type { CallView } from './call.ts';
import { isAgentOpen } from './fold-agent.ts';
import { isCallOpen } from './fold-call.ts';
import { find } from './roster.ts';
import type { AgentView, SessionView } from './view.ts';

/** Who does what, with paths relative to the project; of several calls the newest. Undefined where nothing is to be said. */
export function doingOf(view: SessionView): Doing | undefined {
	if (view.ended || view.lost) return undefined;
	if (view.failure) return { text: view.failure };
	const call = newest(view.calls.filter(isCallOpen), ({ seq }) => seq);
	if (call) {
		const agent = call.agentId === undefined ? undefined : find(view.agents, 'agentId', call.agentId)?.name;
		const text = `${call.tool} ${shortPath(call.title, view.cwd ?? null)}`.trim();
		return { ...(agent !== undefined && { agent }), text, since: call.calledAt ?? call.at };
	}
	const agent = newest(view.agents.filter(isAgentOpen), ({ startedAt }: AgentView) => startedAt ?? '');
	const isThinking = agent !== undefined || view.turn === 'running';
	if (isThinking) {
		return {
			...(agent && { agent: agent.name }),
			text: tell('thinking'),
			...(view.lastAt !== undefined && { since: view.lastAt }),
		};
	}
	return view.lastMessage === undefined ? undefined : { text: view.lastMessage };
}

function newest<Thing extends CallView | AgentView>(things: readonly Thing[], of: (thing: Thing) => number | string) {
	return things.reduce<Thing | undefined>((last, thing) => (!last || of(thing) > of(last) ? thing : last), undefined);
}
