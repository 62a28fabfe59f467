import { type APIResponse, type BrowserContext, test as base, expect, type Page, request } from '@playwright/test';
import { installClient } from './claude-code/install-client.ts';
import { createProject, type RoutingPlan, type TestProject } from './claude-code/project.ts';
import { type RunningClient, runClient } from './claude-code/run-client.ts';
import type { Script } from './claude-code/script.ts';
import { type ScriptedApi, startScriptedApi } from './claude-code/scripted-api.ts';
import { type HookProcess, runHook, type StandIn, startStandIn } from './rig/hook-process.ts';
import { linkOf, type RunningServer, type ServerOptions, startServer } from './rig/running-server.ts';
import { signalbox } from './rig/signalbox-command.ts';

export { expect };

type Role = 'viewer' | 'operator' | 'edge';

/** A project with its config and its plan written. */
interface PreparedProject extends TestProject {
	/** Registers the hooks here, if they are not, and starts the real client against a model that plays `script`. */
	agent(options: {
		version: string;
		script: Script;
		args?: readonly string[];
		/** See `runClient`. */
		hosted?: Parameters<typeof runClient>[0]['hosted'];
	}): Promise<Agent>;
}

/** A real client at work, and the model that it talks to. */
interface Agent extends RunningClient {
	model: ScriptedApi;
}

interface WorkerFixtures {
	/** The built server of this worker. Tests share it, so they look only at sessions of their own. */
	server: RunningServer;
}

/** Verbs that clean up after themselves when the test ends. */
interface Fixtures {
	/** Starts a server that belongs to this test alone. */
	ownServer(env?: Readonly<Record<string, string>>, options?: ServerOptions): Promise<RunningServer>;
	/** Opens a page at `path` in a browser of its own. All of them share the sign-in of the first one at their server. */
	operatorPage(path?: string, options?: OpenOptions): Promise<Page>;
	/** A token of the role: made by the command line for the first who asks at a server, the same one for the others. */
	token(role: Role, server?: RunningServer): Promise<string>;
	/** Asks the API as a tool does; `data` makes it a POST. */
	api(path: string, token: string, options?: { server?: RunningServer; data?: unknown }): Promise<APIResponse>;
	/** Archives the only feature that a server knows, as soon as it knows it; gives the archive's id. */
	archiveFeature(server: RunningServer): Promise<string>;
	/** Starts hook.sh on an input, as the client does. */
	hook(input: unknown, options?: Parameters<typeof runHook>[2] & { server?: RunningServer }): HookProcess;
	/** Starts a process that stands for the client. */
	standIn(): StandIn;
	/** Makes a project, in whose name `hook` asks; with `registered` by `signalbox init`, as a person does. */
	project(options?: {
		name?: string;
		plan?: RoutingPlan;
		agents?: readonly string[];
		server?: RunningServer;
		/** By its hook entries; by the plugin instead, in a trusted project; with the supervisor's, whose reviewer is the same client. */
		registered?: 'entries' | 'plugin' | 'supervisor';
	}): Promise<PreparedProject>;
	/** From here on, errors in the browser's console that fit are expected. */
	expectConsole(pattern: RegExp): void;
}

interface OpenOptions {
	server?: RunningServer;
	/** With a sign-in that no other page shares: what the test ends, it ends for itself. */
	ownSignIn?: boolean;
	/** Width and height of the window. */
	viewport?: { width: number; height: number };
	/** A phone: fingers instead of a pointer. */
	touch?: boolean;
	colorScheme?: 'dark' | 'light';
	/** What the browser asks for, such as `zh-CN`. */
	locale?: string;
}

const INIT_FLAGS = { entries: [], plugin: ['--plugin'], supervisor: ['--supervisor'] } as const;

/** What a browser says of itself while a server is away. */
export const CONNECTION_LOST = /WebSocket connection to .* failed|Failed to load resource: net::ERR_/;

/** What a browser of a server's first page keeps of its sign-in. */
const signIns = new WeakMap<RunningServer, Awaited<ReturnType<BrowserContext['storageState']>>>();
const tokens = new WeakMap<RunningServer, Map<Role, Promise<string>>>();

async function signIn(context: BrowserContext, link: string, path: string): Promise<Page> {
	const page = await context.newPage();
	await page.goto(link.replace('/login#', `/login?to=${encodeURIComponent(path)}#`));
	await page.waitForURL((url) => url.pathname !== '/login');
	return page;
}

export const test = base.extend<Fixtures & { quietConsole: { errors: string[]; expected: RegExp[] } }, WorkerFixtures>({
	server: [
		// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from this pattern.
		async ({}, use) => {
			const server = await startServer();
			await use(server);
			await server.dispose();
		},
		{ scope: 'worker' },
	],

	// biome-ignore lint/correctness/noEmptyPattern: as above.
	ownServer: async ({}, use) => {
		const servers: RunningServer[] = [];
		await use(async (env, options) => {
			const server = await startServer(env, options);
			servers.push(server);
			return server;
		});
		for (const server of servers) await server.dispose();
	},

	// biome-ignore lint/correctness/noEmptyPattern: as above.
	quietConsole: async ({}, use) => {
		const watched = { errors: [] as string[], expected: [] as RegExp[] };
		await use(watched);
		const { errors, expected } = watched;
		expect(
			errors.filter((error) => !expected.some((pattern) => pattern.test(error))),
			'console and page errors',
		).toEqual([]);
	},

	expectConsole: async ({ quietConsole }, use) => {
		await use((pattern) => void quietConsole.expected.push(pattern));
	},

	// It needs them only so that a page is closed before its server and its project's folder go.
	operatorPage: async ({ browser, server, quietConsole, ownServer: _server, project: _project }, use) => {
		const contexts: BrowserContext[] = [];
		await use(async (path = '/', options = {}) => {
			const { server: target = server, viewport = { width: 1440, height: 900 }, colorScheme = 'dark' } = options;
			const { touch = false, locale = 'en-US', ownSignIn = false } = options;
			const storageState = ownSignIn ? undefined : signIns.get(target);
			const context = await browser.newContext({
				...{ baseURL: target.url, viewport, colorScheme, locale, storageState },
				...{ hasTouch: touch, isMobile: touch },
			});
			contexts.push(context);
			context.on('console', (message) => {
				if (message.type() === 'error') quietConsole.errors.push(`${message.text()} (${message.location().url})`);
			});
			context.on('weberror', (error) => void quietConsole.errors.push(String(error.error())));
			if (ownSignIn) {
				const printed = await signalbox(target.home, ['open']);
				return signIn(context, linkOf(printed).href, path);
			}
			if (!storageState) {
				// The link that the server printed serves once.
				const page = await signIn(context, linkOf(target.output()).href, path);
				signIns.set(target, await context.storageState());
				return page;
			}
			const page = await context.newPage();
			await page.goto(path);
			return page;
		});
		for (const context of contexts) await context.close();
	},

	token: async ({ server }, use) => {
		await use((role, target = server) => {
			const made = tokens.get(target) ?? new Map<Role, Promise<string>>();
			tokens.set(target, made);
			const token = made.get(role) ?? signalbox(target.home, ['token', 'create', '--role', role]);
			made.set(role, token);
			return token;
		});
	},

	api: async ({ server }, use) => {
		const client = await request.newContext();
		await use((path, token, { server: target = server, data } = {}) =>
			client.fetch(`http://127.0.0.1:${target.port}${path}`, {
				headers: { authorization: `Bearer ${token}` },
				...(data === undefined ? {} : { method: 'POST', data }),
			}),
		);
		await client.dispose();
	},

	archiveFeature: async ({ token, api }, use) => {
		await use(async (server) => {
			const operator = await token('operator', server);
			const idOf = async () => (await (await api('/api/features', operator, { server })).json()).features[0]?.id;
			await expect.poll(idOf).toBeTruthy();
			await api(`/api/features/${await idOf()}`, operator, { server, data: { action: 'archive' } });
			return idOf();
		});
	},

	hook: async ({ server }, use) => {
		const started: HookProcess[] = [];
		await use((input, { server: target = server, ...options } = {}) => {
			const hook = runHook(target.home, input, options);
			started.push(hook);
			return hook;
		});
		for (const hook of started) hook.kill();
	},

	// biome-ignore lint/correctness/noEmptyPattern: as above.
	standIn: async ({}, use) => {
		const started: StandIn[] = [];
		await use(() => {
			const standIn = startStandIn();
			started.push(standIn);
			return standIn;
		});
		for (const standIn of started) standIn.kill();
	},

	project: async ({ server }, use) => {
		const cleanups: (() => Promise<void> | void)[] = [];
		await use(async ({ server: target = server, registered, ...options } = {}) => {
			const project = createProject(options);
			cleanups.push(project.remove);
			const register = async (how: keyof typeof INIT_FLAGS) => {
				await signalbox(target.home, ['init', ...INIT_FLAGS[how], '--project', project.dir]);
				if (how === 'plugin') project.trust();
			};
			if (registered) await register(registered);
			else project.write('.overtone/config.json', '{"gates":{"routing":{"onMismatch":"deny"}}}');
			let isRegistered = registered !== undefined;
			const agent: PreparedProject['agent'] = async ({ version, script, args, hosted }) => {
				if (!isRegistered) await register('entries');
				isRegistered = true;
				const model = await startScriptedApi(script);
				cleanups.push(model.close);
				const installed = await installClient(version);
				const client = runClient({
					client: installed,
					...(hosted && { hosted }),
					project,
					apiUrl: model.url,
					prompt: 'Build the cart.',
					...(args && { args }),
					env: { OVERTONE_HOME: target.home, CCC_CLAUDE: installed.command[0] },
				});
				cleanups.push(async () => {
					client.kill();
					await client.ended;
				});
				return { ...client, model };
			};
			return { ...project, agent };
		});
		for (const cleanUp of cleanups.reverse()) await cleanUp();
	},
});
