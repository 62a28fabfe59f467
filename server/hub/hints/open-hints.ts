import type { Log } from '../../process/log.ts';
import { createLocalHints, type Hints } from './hints.ts';
import { createRedisHints } from './redis-hints.ts';

export interface OpenHintsOptions {
	/** SIGNALBOX_REDIS_URL; without it hints stay within this process. */
	redisUrl: string | undefined;
	/** The hub's private key (PEM). */
	privateKey: string;
	log: Log;
}

/** The hints of a replica. */
export function openHints({ redisUrl, privateKey, log }: OpenHintsOptions): Hints {
	const failed = (error: unknown) => log.error('hub: a hint could not be followed', error);
	if (redisUrl === undefined) return createLocalHints(failed);
	return createRedisHints({
		...{ url: redisUrl, privateKey, failed },
		lost: (error) =>
			log.warn('hub: Redis does not answer; what other replicas write is seen within two seconds', {
				reason: String(error),
			}),
		found: () => log.info('hub: Redis answers again'),
	});
}
