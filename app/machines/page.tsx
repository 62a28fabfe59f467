import { MachinesPage } from '#components/people/machines/machines-page.tsx';

export default function HubMachinesPage() {
	return <MachinesPage />;
}
