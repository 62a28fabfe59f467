import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { printable } from '#lib/text/printable.ts';
import { howToStop } from './server-holder.ts';

/** A process, as far as this user may inspect it. */
interface PortHolder {
	pid: number;
	command: string;
}

/** A listening socket, from the kernel's table. */
interface Listener {
	link: string;
	uid: number;
}

const LISTEN = '0A';

/** Listening sockets of a port, in both families. */
function listenersOn(port: number): Listener[] {
	const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
	const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => {
		return tryTo(() => readFileSync(path, 'utf8').split('\n').slice(1)) ?? [];
	});
	const rows = lines.map((line) => line.trim().split(/\s+/));
	const listening = rows.filter((row) => row[1]?.endsWith(wanted) && row[3] === LISTEN);
	return listening.map((row) => ({ link: `socket:[${row[9]}]`, uid: Number(row[7]) }));
}

function holdsOneOf(pid: string, links: ReadonlySet<string>): boolean {
	const folder = join('/proc', pid, 'fd');
	try {
		return readdirSync(folder).some((fd) => {
			return tryTo(() => links.has(readlinkSync(join(folder, fd)))) ?? false;
		});
	} catch {
		return false;
	}
}

/** The process that listens on a TCP port of this machine; undefined if that is not visible, as for another user's process. */
export function findPortHolder(port: number): PortHolder | undefined {
	const links = new Set(listenersOn(port).map(({ link }) => link));
	if (links.size === 0) return undefined;
	const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holdsOneOf(name, links));
	if (pid === undefined) return undefined;
	return { pid: Number(pid), command: printable(commandOf(pid)) };
}

/** Empty if the process has ended since. */
function commandOf(pid: string): string {
	return (
		tryTo(() =>
			readFileSync(join('/proc', pid, 'cmdline'), 'utf8')
				.replaceAll('\0', ' ')
				.trim(),
		) ?? ''
	);
}

/** Whether listening failed because a port is taken. A socket file has no port number. */
export function isPortTaken(error: unknown): error is Error & { port: number } {
	if (!(error instanceof Error && 'code' in error && 'port' in error)) return false;
	return error.code === 'EADDRINUSE' && typeof error.port === 'number';
}

function holderWords(port: number, holder: PortHolder | undefined): string {
	if (holder) return `process ${holder.pid} (${holder.command})`;
	const other = listenersOn(port).find(({ uid }) => uid !== process.getuid?.());
	return other ? `a process of another user (user id ${other.uid})` : "another process, perhaps another user's";
}

/** For a person who cannot start because the port is taken: who holds it, and what to do. */
export function describeTakenPort(port: number, command: 'start' | 'demo' | 'hub' = 'start'): string {
	const holder = findPortHolder(port);
	const isOurs = holder && /signalbox\S* start\b/.test(holder.command);
	const stop = isOurs ? `${howToStop(holder.pid)} Or choose` : 'Stop it, or choose';
	const next = port === 65_535 ? 7777 : port + 1;
	return `Port ${port} is taken by ${holderWords(port, holder)}. ${stop} another port: \`signalbox ${command} --port ${next}\``;
}
