import type { Metadata, Viewport } from 'next';
import localFont from 'next/font/local';
import { cookies, headers } from 'next/headers';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import type { ReactNode } from 'react';
import { AppFrame } from '#components/frame/app-frame.tsx';
import { readTheme, THEME_COOKIE } from '#components/frame/theme.ts';
import { LanguageProvider } from '#components/language/language-provider.tsx';
import { HubContext } from '#components/live/hub.tsx';
import { HUB_HEADER } from '#lib/contract/hub/hub-roles.ts';
import { chinese } from '#lib/messages/chinese.ts';
import { LANGUAGE_COOKIE, languageFor } from '#lib/messages/language.ts';
import './globals.css';

// One look on every system; scripts other than Latin are the system's.
const interfaceFont = localFont({
	src: './fonts/inter.woff2',
	weight: '100 900',
	variable: '--interface-font',
});
const codeFont = localFont({
	src: './fonts/jetbrains-mono.woff2',
	weight: '100 800',
	variable: '--code-font',
	adjustFontFallback: false,
});

export const metadata: Metadata = { title: 'Signalbox' };
export const viewport: Viewport = { width: 'device-width', initialScale: 1 };

// Every request has its own nonce, so pages cannot be prerendered.
export const dynamic = 'force-dynamic';

export default async function RootLayout({ children }: { children: ReactNode }) {
	const chosen = await cookies();
	const theme = readTheme(chosen.get(THEME_COOKIE)?.value);
	const requestHeaders = await headers();
	const language = languageFor(chosen.get(LANGUAGE_COOKIE)?.value, requestHeaders.get('accept-language'));
	const isHub = requestHeaders.has(HUB_HEADER);
	return (
		<html
			lang={language}
			className={`${interfaceFont.variable} ${codeFont.variable}`}
			data-theme={theme}
			data-hub={isHub || undefined}
			suppressHydrationWarning
		>
			<head>
				{/* Not in the metadata, which arrives after the head, when some browsers have already requested /favicon.ico. */}
				<link rel="icon" href="/icon.svg" />
			</head>
			<body>
				<NuqsAdapter>
					{/* The dictionary is sent with the page, and only if the language is not English. */}
					<LanguageProvider language={language} dictionary={language === 'en' ? null : chinese}>
						<HubContext value={isHub}>
							<AppFrame theme={theme}>{children}</AppFrame>
						</HubContext>
					</LanguageProvider>
				</NuqsAdapter>
			</body>
		</html>
	);
}
