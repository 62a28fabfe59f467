import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import type { ReactNode } from 'react';
import { AppFrame } from '#components/frame/app-frame.tsx';
import { readTheme, THEME_COOKIE } from '#components/frame/theme.ts';
import './globals.css';

export const metadata: Metadata = { title: 'Signalbox' };
export const viewport: Viewport = { width: 'device-width', initialScale: 1 };

// The page's nonce comes with each request, so no page may be rendered ahead of time.
export const dynamic = 'force-dynamic';

export default async function RootLayout({ children }: { children: ReactNode }) {
	const theme = readTheme((await cookies()).get(THEME_COOKIE)?.value);
	return (
		<html lang="en" data-theme={theme} suppressHydrationWarning>
			<head>
				{/* Metadata would come after the head, too late for a browser that then asks for /favicon.ico. */}
				<link rel="icon" href="/icon.svg" />
			</head>
			<body>
				<NuqsAdapter>
					<AppFrame theme={theme}>{children}</AppFrame>
				</NuqsAdapter>
			</body>
		</html>
	);
}
