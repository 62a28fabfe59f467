import { MachinesPage } from '#components/machines/machines-page.tsx';

export default function HubMachinesPage() {
	return <MachinesPage />;
}
