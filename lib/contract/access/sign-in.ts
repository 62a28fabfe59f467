import * as z from 'zod';

/** The three kinds of token; none can stand in for another (DESIGN 6). */
export const Role = z.enum(['viewer', 'operator', 'edge']);
export type Role = z.infer<typeof Role>;

/** `POST /login`: the fragment of a one-time link. */
export const LoginBody = z.strictObject({ token: z.string().min(20).max(200) });

/** `POST /link`: the fragment of a link to one waiting call. */
export const LinkBody = z.strictObject({ link: z.string().min(20).max(200) });

/** `POST /link`: the page of that call, and where a sign-in came of it, that one's session token. */
export const LinkAnswer = z.object({ to: z.string(), sessionToken: z.string().optional() });
