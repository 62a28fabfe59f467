import type { SetupEntry } from './agent-setup.ts';

/**
 * How a plugin of ours that runs inside a client begins, as text: `ask` runs the hook that is registered for an event.
 * Whatever fails in it lets the client go on.
 */
export function pluginHead(make: string, entries: readonly SetupEntry[]): string {
	const commands = Object.fromEntries(entries.map(({ event, command, seconds }) => [event, [command, seconds]]));
	return `// signalbox:plugin, written by \`signalbox init --agent ${make}\`; \`signalbox init --remove\` takes it away.
import { spawn } from 'node:child_process';

const commands = ${JSON.stringify(commands, null, 2)};

/** Runs the hook; gives its answer, or {} whatever happens. */
function ask(event, fields) {
  const [command, seconds] = commands[event];
  return new Promise((resolve) => {
    let said = '';
    const end = () => {
      clearTimeout(timer);
      try {
        const answer = JSON.parse(said);
        resolve(typeof answer === 'object' && answer !== null ? answer : {});
      } catch {
        resolve({});
      }
    };
    let timer;
    try {
      const hook = spawn('sh', ['-c', command], { stdio: ['pipe', 'pipe', 'ignore'] });
      timer = setTimeout(() => hook.kill(), (seconds + 5) * 1000);
      hook.on('error', end);
      hook.stdin.on('error', () => {});
      hook.stdout.on('data', (text) => (said += text));
      hook.on('close', end);
      hook.stdin.end(JSON.stringify({ hook_event_name: event, ...fields }));
    } catch {
      end();
    }
  });
}
`;
}
