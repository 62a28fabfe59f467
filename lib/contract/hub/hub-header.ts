/** What the gate of a hub says to the page that it asks for: there is a hub behind it. From outside it is taken away. */
export const HUB_HEADER = 'x-signalbox-hub';
