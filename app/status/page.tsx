export { StatusPage as default } from '#components/health/status-page.tsx';
