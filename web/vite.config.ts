import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  resolve: { alias: [{ find: /^fflate$/, replacement: fileURLToPath(new URL('src/lib/unzipHere.ts', import.meta.url)) }] },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // A preload helper or an inlined asset would need a weaker content security policy.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // ECharts comes in one piece, and only when a chart is shown.
    chunkSizeWarningLimit: 700,
  },
});
