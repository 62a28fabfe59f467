import type { AgentSetup, SetupEntry } from '../agent-setup.ts';
import { pluginHead } from '../plugin-head.ts';

/** pi: an extension of ours in its person's folder, which runs the hook. */
export const piSetup: AgentSetup = {
	program: 'pi',
	folder: { at: '.pi/agent', variable: 'PI_CODING_AGENT_DIR' },
	signs: ['.pi'],
	hooks: { file: 'extensions/signalbox.js', content: pluginText },
	limits: [
		'An extension of ours in the client runs the hook.',
		'The client has no permission prompts and no sub-agents of its own; those of other extensions are recorded as calls.',
		'The end of a turn is only recorded: neither the loop nor the routing plan can send the agent on.',
		'The client reports no interruption or kill, except SIGTERM.',
	],
};

/**
 * Our extension's source. It passes the client's events to the hook and follows the answer. Events are reported in order; calls
 * are asked about in parallel, each after the events before it.
 */
export function pluginText(entries: readonly SetupEntry[]): string {
	return `${pluginHead('pi', entries)}
export default function (pi) {
  let reported = Promise.resolve();
  const report = (event, fields) => (reported = reported.then(() => ask(event, fields)));
  const actor = ({ sessionManager, cwd }) => ({
    session_id: sessionManager.getSessionId(),
    transcript_path: sessionManager.getSessionFile(),
    cwd,
  });
  /** Errors must not reach the client, which would deny the call: only a fail-closed hook wants that. */
  const on = (event, handle) =>
    pi.on(event, async (payload, context) => {
      try {
        return await handle(payload, context);
      } catch (error) {
        if (commands[event][2]) throw error;
      }
    });
  on('session_start', async ({ reason }, context) => {
    await report('session_start', { ...actor(context), source: reason, model: context.model?.id });
  });
  on('before_agent_start', async ({ prompt }, context) => {
    const { context: content } = await report('before_agent_start', { ...actor(context), prompt });
    if (content) return { message: { customType: 'signalbox', content, display: false } };
  });
  on('tool_call', async ({ toolName, toolCallId, input }, context) => {
    const call = { tool_name: toolName, tool_input: input, tool_use_id: toolCallId };
    await reported;
    const { decision, reason, args } = await ask('tool_call', { ...actor(context), ...call });
    if (decision === 'deny') return { block: true, reason };
    if (!args) return;
    // The client passes its own object on, so it is changed in place.
    for (const key of Object.keys(input)) if (!(key in args)) delete input[key];
    Object.assign(input, args);
  });
  on('tool_result', async ({ toolName, toolCallId, input, content, isError }, context) => {
    const said = content.map(({ text }) => text ?? '').join('\\n');
    const call = { tool_name: toolName, tool_input: input, tool_use_id: toolCallId };
    if (isError) await report('tool_error', { ...actor(context), ...call, error: said });
    else await report('tool_result', { ...actor(context), ...call, tool_response: said });
  });
  on('session_compact', async (_event, context) => {
    await report('session_compact', actor(context));
  });
  on('agent_end', async (_event, context) => {
    await report('agent_end', actor(context));
  });
  on('session_shutdown', async ({ reason }, context) => {
    await report('session_shutdown', { ...actor(context), reason });
  });
}
`;
}
