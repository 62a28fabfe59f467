import { AccessPage } from '#components/access/access-page.tsx';

export default function AccessListPage() {
	return <AccessPage />;
}
