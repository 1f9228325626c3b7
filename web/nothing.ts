// Stands for packages that a library would load for what is never asked of it (vite.config.ts).
export default null;
