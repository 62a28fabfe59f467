/** Set by the hub's HTTP gate for its pages; removed from requests that come from outside. */
export const HUB_HEADER = 'x-signalbox-hub';
