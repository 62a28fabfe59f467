/*
 * Shows what the server pushes while no page is open, and what an open but hidden page tells it. It denies where a person
 * chooses that, and otherwise only opens the page: an approval is given there, after reading, with sign-in or passkey.
 */
const HERE = self.location.origin;
const CARD = /^[\w-]{8,64}$/;

/** A path of this server and nothing else, whatever was sent. */
function placeOf(path) {
	const url = new URL(typeof path === 'string' ? path : '/', HERE);
	return url.origin === HERE ? url.href : `${HERE}/`;
}

/** The call that waits, where the place is its card. */
function callOf(place) {
	const { pathname, searchParams } = new URL(place);
	const card = searchParams.get('card') ?? '';
	return pathname === '/approvals' && CARD.test(card) ? card : null;
}

function read(data) {
	try {
		const message = data?.json();
		return typeof message === 'object' && message !== null ? message : {};
	} catch {
		return {};
	}
}

const QUESTION = [
	{ action: 'approve', title: 'Approve…' },
	{ action: 'deny', title: 'Deny' },
];

function show({ id, title, body, path }) {
	const place = placeOf(path);
	return self.registration.showNotification(String(title ?? 'Signalbox'), {
		body: String(body ?? ''),
		tag: String(id ?? 'signalbox'),
		icon: '/icon.svg',
		data: { place },
		actions: callOf(place) === null ? [{ action: 'open', title: 'Open' }] : QUESTION,
	});
}

async function close(id) {
	for (const notice of await self.registration.getNotifications({ tag: String(id) })) notice.close();
}

async function open(place) {
	const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
	const page = pages[0];
	if (!page) return self.clients.openWindow(place);
	await page.focus().catch(() => undefined);
	// A page that this worker does not control cannot be steered; it shows a notice of what waits by itself.
	return page.navigate(place).catch(() => self.clients.openWindow(place));
}

/** What the sign-in page has kept for this worker, who has no local storage. */
async function sessionToken() {
	const kept = await caches.match('/session', { cacheName: 'signalbox-session' });
	return kept ? kept.text() : '';
}

/** The same request as the card's, with the token that proves that our own script sends it. */
async function deny(call) {
	const answer = await fetch(`/api/approvals/${call}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-signalbox-session': await sessionToken() },
		body: JSON.stringify({ decision: 'deny' }),
	});
	if (!answer.ok) throw new Error('it was not denied');
}

/** What could not be denied (late, signed out, decided by somebody) is shown as it stands. */
async function denyOrOpen({ title, tag, data }) {
	const place = placeOf(data?.place);
	try {
		await deny(callOf(place));
		const said = { body: title, tag, icon: '/icon.svg', silent: true, data };
		await self.registration.showNotification('Denied; the agent receives it', said);
	} catch {
		await open(place);
	}
}

// A page that is open already can be led to the card as well.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => event.waitUntil(show(read(event.data))));

self.addEventListener('message', (event) => {
	const { show: asked, close: over } = event.data ?? {};
	if (asked) event.waitUntil(show(asked));
	if (over) event.waitUntil(close(over));
});

self.addEventListener('notificationclick', (event) => {
	const { notification, action } = event;
	notification.close();
	const place = placeOf(notification.data?.place);
	event.waitUntil(action === 'deny' && callOf(place) !== null ? denyOrOpen(notification) : open(place));
});
