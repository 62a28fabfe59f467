import { ApprovalsPage } from '#components/approvals/approvals-page.tsx';

export default function InboxPage() {
	return <ApprovalsPage />;
}
