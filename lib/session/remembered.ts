/** Caches a pure function of an immutable object. */
export function remembered<Thing extends object, Answer>(read: (thing: Thing) => Answer): (thing: Thing) => Answer {
	const answers = new WeakMap<Thing, { answer: Answer }>();
	return (thing) => {
		const known = answers.get(thing);
		if (known) return known.answer;
		const answer = read(thing);
		answers.set(thing, { answer });
		return answer;
	};
}
