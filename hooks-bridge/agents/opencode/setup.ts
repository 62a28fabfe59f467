import type { AgentSetup, SetupEntry } from '../agent-setup.ts';
import { pluginHead } from '../plugin-head.ts';

/** OpenCode: a plugin of ours in its person's folder, which runs the hook. */
export const opencodeSetup: AgentSetup = {
	program: 'opencode',
	folder: { at: '.config/opencode', variable: 'XDG_CONFIG_HOME', below: 'opencode' },
	signs: ['.opencode', 'opencode.json', 'opencode.jsonc'],
	hooks: { file: 'plugins/signalbox.js', content: pluginText },
	limits: [
		'A plugin of ours in the client runs the hook, and notes what each answer took beside the client’s own data.',
		'The end of a turn is only recorded: neither the loop nor the routing plan can send the agent on.',
		'`opencode run` answers its own permission prompts before a hook can.',
		'The client cannot report that it was killed.',
	],
};

const NOTED_DAYS = 30;

/**
 * Our plugin's source. It runs inside the client, passes events to the hook and follows the answer; if it fails, the client goes
 * on. Events are reported in order; calls are asked about in parallel, each after the events before it.
 */
export function pluginText(entries: readonly SetupEntry[]): string {
	return `${pluginHead('opencode', entries)}
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The client keeps its answers in a database in the folder above: what they took is noted here, a file a session, for ${NOTED_DAYS} days. */
const notes = join(process.env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'opencode/signalbox');
const noteOf = (id) => join(notes, id + '.jsonl');

function dropOldNotes() {
  try {
    const old = Date.now() - ${NOTED_DAYS} * 24 * 60 * 60_000;
    for (const name of readdirSync(notes)) if (statSync(join(notes, name)).mtimeMs < old) rmSync(join(notes, name));
  } catch {}
}

export const Signalbox = async ({ client, directory }) => {
  /** Sub-agents by their own session: the session that started them, and their kind. */
  const agents = new Map();
  const roots = new Set();
  const noted = new Set();
  dropOldNotes();
  let reported = Promise.resolve();
  const report = (event, fields) => (reported = reported.then(() => ask(event, fields)));
  const actor = (id) => {
    const agent = agents.get(id);
    if (!agent) roots.add(id);
    const own = agent ? { agent_id: id, agent_type: agent.type } : noted.has(id) && { transcript_path: noteOf(id) };
    return { session_id: agent?.root ?? id, cwd: directory, ...own };
  };
  const events = {
    'session.created'({ info }) {
      if (info.parentID) {
        agents.set(info.id, { root: agents.get(info.parentID)?.root ?? info.parentID, type: info.agent ?? 'general' });
        return report('agent.created', actor(info.id));
      }
      return report('session.created', { ...actor(info.id), source: 'startup' });
    },
    'message.updated'({ info: { id, role, sessionID, modelID, tokens, time } }) {
      if (role !== 'assistant' || !time?.completed || noted.has(id) || !/^[\\w-]+$/.test(sessionID)) return;
      noted.add(id).add(agents.get(sessionID)?.root ?? sessionID);
      if (!existsSync(notes)) mkdirSync(notes, { mode: 0o700 });
      const at = new Date(time.completed).toISOString();
      appendFileSync(noteOf(sessionID), JSON.stringify({ id, at, model: modelID, tokens }) + '\\n', { mode: 0o600 });
    },
    'session.idle'({ sessionID }) {
      return report(agents.has(sessionID) ? 'agent.idle' : 'session.idle', actor(sessionID));
    },
    'session.error'({ sessionID, error }) {
      if (!sessionID || error?.name === 'MessageAbortedError') return;
      return report('session.error', { ...actor(sessionID), error: error?.data?.message ?? error?.name });
    },
    async 'permission.asked'({ id, sessionID, permission, metadata }) {
      const call = { tool_name: permission, tool_input: metadata };
      await reported;
      const { reply } = await ask('permission.asked', { ...actor(sessionID), ...call });
      const path = { id: sessionID, permissionID: id };
      if (reply) await client.postSessionIdPermissionsPermissionId({ path, body: { response: reply } });
    },
  };
  return {
    event: async ({ event }) => {
      try {
        await events[event.type]?.(event.properties);
      } catch {}
    },
    'chat.message': async ({ sessionID }, { message, parts }) => {
      if (agents.has(sessionID)) return;
      const prompt = parts.map(({ text }) => text ?? '').join('\\n');
      await report('chat.message', { ...actor(sessionID), prompt, prompt_id: message?.id });
    },
    'tool.execute.before': async ({ tool, sessionID, callID }, output) => {
      const call = { tool_name: tool, tool_input: output.args, tool_use_id: callID };
      await reported;
      const { decision, reason, args } = await ask('tool.execute.before', { ...actor(sessionID), ...call });
      if (decision === 'deny') throw new Error(reason);
      if (!args || typeof output.args !== 'object') return;
      // The client passes its own object on, so it is changed in place.
      for (const key of Object.keys(output.args)) if (!(key in args)) delete output.args[key];
      Object.assign(output.args, args);
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args }, { output, metadata }) => {
      const call = { tool_name: tool, tool_input: args, tool_use_id: callID, tool_response: output };
      const started = tool === 'task' ? { started_agent: metadata?.sessionId } : {};
      await report('tool.execute.after', { ...actor(sessionID), ...call, ...started });
    },
    dispose: async () => {
      for (const session_id of roots) report('dispose', { session_id, cwd: directory });
      await reported;
    },
  };
};
`;
}
