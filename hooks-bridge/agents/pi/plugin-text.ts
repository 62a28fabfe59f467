import type { SetupEntry } from '../agent-setup.ts';
import { pluginHead } from '../plugin-head.ts';

/**
 * Our extension of the client, as text: it hands what happens to the hook, in the field names that most makes share, and
 * does what the hook says. Events are told one after the other; calls are asked about beside each other, each after what
 * happened before it.
 */
export function pluginText(entries: readonly SetupEntry[]): string {
	return `${pluginHead('pi', entries)}
export default function (pi) {
  let told = Promise.resolve();
  const tell = (event, fields) => (told = told.then(() => ask(event, fields)));
  const actor = ({ sessionManager, cwd }) => ({
    session_id: sessionManager.getSessionId(),
    transcript_path: sessionManager.getSessionFile(),
    cwd,
  });
  /** Whatever is wrong with an event, the client goes on: an error here is a denial there, which only a fail-closed hook wants. */
  const on = (event, handle) =>
    pi.on(event, async (told, context) => {
      try {
        return await handle(told, context);
      } catch (error) {
        if (commands[event][2]) throw error;
      }
    });
  on('session_start', async ({ reason }, context) => {
    await tell('session_start', { ...actor(context), source: reason, model: context.model?.id });
  });
  on('before_agent_start', async ({ prompt }, context) => {
    const { context: content } = await tell('before_agent_start', { ...actor(context), prompt });
    if (content) return { message: { customType: 'signalbox', content, display: false } };
  });
  on('tool_call', async ({ toolName, toolCallId, input }, context) => {
    const call = { tool_name: toolName, tool_input: input, tool_use_id: toolCallId };
    await told;
    const { decision, reason, args } = await ask('tool_call', { ...actor(context), ...call });
    if (decision === 'deny') return { block: true, reason };
    if (!args) return;
    // The client keeps its own object: only what is changed in it counts.
    for (const key of Object.keys(input)) if (!(key in args)) delete input[key];
    Object.assign(input, args);
  });
  on('tool_result', async ({ toolName, toolCallId, input, content, isError }, context) => {
    const said = content.map(({ text }) => text ?? '').join('\\n');
    const call = { tool_name: toolName, tool_input: input, tool_use_id: toolCallId };
    if (isError) await tell('tool_error', { ...actor(context), ...call, error: said });
    else await tell('tool_result', { ...actor(context), ...call, tool_response: said });
  });
  on('session_compact', async (_event, context) => {
    await tell('session_compact', actor(context));
  });
  on('agent_end', async (_event, context) => {
    await tell('agent_end', actor(context));
  });
  on('session_shutdown', async ({ reason }, context) => {
    await tell('session_shutdown', { ...actor(context), reason });
  });
}
`;
}
