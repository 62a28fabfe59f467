import type { SetupEntry } from './agent-setup.ts';

/**
 * The beginning of our plugins inside a client: `ask` runs the hook for an event. If that fails, the client goes on, unless the
 * hook is fail-closed: then the call is denied.
 */
export function pluginHead(client: string, entries: readonly SetupEntry[]): string {
	const commands = Object.fromEntries(
		entries.map(({ event, command, seconds, isClosed = false }) => [event, [command, seconds, isClosed]]),
	);
	return `// signalbox:plugin, written by \`signalbox init --agent ${client}\`; \`signalbox init --remove\` takes it away.
import { spawn } from 'node:child_process';

const commands = ${JSON.stringify(commands, null, 2)};

/** Runs the hook and gives its answer; on any failure {}, or a denial if the hook is fail-closed. */
function ask(event, fields) {
  const [command, seconds, isClosed] = commands[event];
  const reason = 'Signalbox: the hook failed; this plugin denies what nobody could judge.';
  const failed = isClosed ? { decision: 'deny', reason } : {};
  return new Promise((resolve) => {
    let said = '';
    const end = (code) => {
      clearTimeout(timer);
      try {
        const answer = code === 0 && said === '' ? {} : JSON.parse(said);
        const isAnswer = typeof answer === 'object' && answer !== null && (code === 0 || !isClosed);
        resolve(isAnswer ? answer : failed);
      } catch {
        resolve(failed);
      }
    };
    const fail = () => end(null);
    let timer;
    try {
      const hook = spawn('sh', ['-c', command], { stdio: ['pipe', 'pipe', 'ignore'] });
      // A process that the hook started may hold its output open for longer.
      timer = setTimeout(() => fail(hook.kill()), (seconds + 5) * 1000);
      hook.on('error', fail);
      hook.stdin.on('error', () => {});
      hook.stdout.on('data', (text) => (said += text));
      hook.on('close', end);
      hook.stdin.end(JSON.stringify({ hook_event_name: event, ...fields }));
    } catch {
      fail();
    }
  });
}
`;
}
