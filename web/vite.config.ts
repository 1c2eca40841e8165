import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    // A preload helper or an inlined asset would need a weaker content security policy.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // ECharts comes in one piece, and only when a chart is shown.
    chunkSizeWarningLimit: 700,
  },
});
