/** The whole look of an exported page: it loads nothing. */
export const htmlStyle = [
	':root{color-scheme:light dark;--err:#b3261e;--warn:#8a5a00;--ok:#1b6e3c;--muted:#666}',
	'@media(prefers-color-scheme:dark){:root{--err:#ff8a80;--warn:#e8b45a;--ok:#7bd49a;--muted:#999}}',
	'body{font:14px/1.45 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}',
	'h1{font-size:1.4rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}',
	'table{border-collapse:collapse}td,th{text-align:left;padding:.15rem .8rem .15rem 0;vertical-align:top}',
	'pre{white-space:pre-wrap;font:12px/1.4 ui-monospace,monospace}summary{cursor:pointer;font-weight:600}',
	'ol{list-style:none;padding:0;margin:0}li{border-top:1px solid #8883;padding:.2rem 0}',
	'time,i{color:var(--muted);font-style:normal}.e b,.e u{color:var(--err)}.w b,.w u{color:var(--warn)}.o u{color:var(--ok)}',
	'u{text-decoration:none}.note{border-left:3px solid var(--warn);padding-left:.6rem}',
].join('');
