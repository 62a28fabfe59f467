export { MachinesPage as default } from '#components/people/machines/machines-page.tsx';
