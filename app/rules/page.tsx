export { RulesHere as default } from '#components/rules/rules-here.tsx';
