/*
 * Shows what the server pushes while no page is open. It decides nothing: a notification only opens the page where a
 * person decides with their own sign-in or passkey.
 */
const HERE = self.location.origin;

/** A path of this server and nothing else, whatever was sent. */
function placeOf(path) {
	const url = new URL(typeof path === 'string' ? path : '/', HERE);
	return url.origin === HERE ? url.href : `${HERE}/`;
}

function read(data) {
	try {
		const message = data?.json();
		return typeof message === 'object' && message !== null ? message : {};
	} catch {
		return {};
	}
}

self.addEventListener('push', (event) => {
	const { id, title, body, path } = read(event.data);
	event.waitUntil(
		self.registration.showNotification(String(title ?? 'Signalbox'), {
			body: String(body ?? ''),
			tag: String(id ?? 'signalbox'),
			icon: '/icon.svg',
			data: { place: placeOf(path) },
			actions: [{ action: 'open', title: 'Open' }],
		}),
	);
});

async function open(place) {
	const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
	const page = pages[0];
	if (!page) return self.clients.openWindow(place);
	await page.focus();
	// A page that this worker does not control cannot be steered; it shows a notice of what waits by itself.
	return page.navigate(place).catch(() => self.clients.openWindow(place));
}

self.addEventListener('notificationclick', (event) => {
	event.notification.close();
	event.waitUntil(open(placeOf(event.notification.data?.place)));
});
