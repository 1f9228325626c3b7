// Stands for packages that a library would load for what is never asked of it (vite.config.ts).
// eslint-disable-next-line no-restricted-syntax -- what it stands for has one
export default null;
