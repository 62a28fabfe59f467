/** What may be new: a session's events, the list, an edge's commands, who may come in, a team's open tickets. */
export type HintTopic = `s:${string}` | 'list' | `edge:${number}` | 'people' | `tickets:${number}`;

/** Undefined says only that there may be something new. */
export type HintListener = (body: string | undefined) => void;

/** Numbers for whoever looks after a hub. */
export interface HintState {
	/** Whether other replicas hear what is told here. */
	shared: boolean;
	/** Whether hints come and go now; always so within one process. */
	up: boolean;
	/** Sent since the start, and of these not to other replicas. */
	told: number;
	unsent: number;
	/** Heard from others, and of these without the mark that what they say is true. */
	heard: number;
	unproven: number;
	/** Topics that somebody here hears. */
	topics: number;
}

/**
 * Where to look now, told between the parts and replicas of a hub. A hint may be lost, come twice or say something old: it
 * only makes fast what is looked for in the database anyway, every two seconds.
 */
export interface Hints {
	/** Sent to everybody who hears the topic, in this process too. Never throws and never waits. */
	tell(topic: HintTopic, body?: string): void;
	/** Gives the function that ends it. */
	hear(topic: HintTopic, listener: HintListener): () => void;
	state(): HintState;
	stop(): Promise<void>;
}

/** Hints within one process: all that a hub of one replica needs. `failed` hears what a listener throws. */
export function createLocalHints(failed: (error: unknown) => void): Hints {
	const listeners = new Map<HintTopic, Set<HintListener>>();
	let told = 0;

	return {
		tell(topic, body) {
			told += 1;
			for (const listener of listeners.get(topic) ?? []) {
				try {
					listener(body);
				} catch (error) {
					failed(error);
				}
			}
		},
		hear(topic, listener) {
			const all = listeners.get(topic) ?? new Set();
			listeners.set(topic, all.add(listener));
			return () => {
				all.delete(listener);
				if (all.size === 0 && listeners.get(topic) === all) listeners.delete(topic);
			};
		},
		state: () => ({ shared: false, up: true, told, unsent: 0, heard: 0, unproven: 0, topics: listeners.size }),
		stop: async () => listeners.clear(),
	};
}
