/** Packages and their versions. */
export type Packages = Readonly<Record<string, string>>

/** The versions to install: the newest of their majors if `NEWEST_MAJORS` is set, as in a nightly job. */
export function wanted(packages: Packages): Packages {
  if (!process.env.NEWEST_MAJORS) return packages
  return Object.fromEntries(Object.entries(packages).map(([name, version]) => [name, `^${version}`]))
}

const angular = (core: string, build: string, architect: string): Packages => ({
  ...Object.fromEntries(
    ['core', 'common', 'compiler', 'localize', 'platform-browser', 'compiler-cli'].map((it) => [
      `@angular/${it}`,
      core,
    ]),
  ),
  ...{ '@angular/build': build, '@angular/cli': build, '@angular-devkit/architect': architect, typescript: '5.9.3' },
})

const REACT: Packages = { react: '19.3.1', 'react-dom': '19.3.1' }
const SVELTE: Packages = { svelte: '5.57.3', '@sveltejs/vite-plugin-svelte': '7.3.1', vite: '8.3.8' }

/**
 * Framework majors that the tests build in addition to the one in a fixture's package.json, by fixture: the newest if
 * it needs a newer Node than the workspace, and the previous one. The framework's own package comes first.
 * `docs/frameworks.md` lists them.
 */
export const MAJORS = {
  astro: { 7: { astro: '7.3.5' }, 6: { astro: '6.4.8' } },
  nuxt: { 3: { nuxt: '3.21.11' } },
  nextjs: { 15: { next: '15.5.29', typescript: '5.9.3', '@types/node': '20.19.43' } },
  angular: {
    21: angular('21.2.26', '21.2.27', '0.2102.30'),
    20: angular('20.3.35', '20.3.41', '0.2003.41'),
  },
  sveltekit: {
    3: { '@sveltejs/kit': '3.2.0', '@sveltejs/adapter-static': '4.0.1', '@sveltejs/adapter-node': '6.0.1', ...SVELTE },
  },
  'react-router': {
    8: {
      '@react-router/dev': '8.4.0',
      '@react-router/node': '8.4.0',
      '@react-router/serve': '8.4.0',
      'react-router': '8.4.0',
      isbot: '5.1.32',
      vite: '8.3.8',
      ...REACT,
    },
  },
  expo: {
    // With the React Native and React versions that it requires.
    55: { expo: '55.0.31', 'react-native': '0.83.10', react: '19.2.0', 'react-dom': '19.2.0' },
  },
  pwa: {
    1: {
      'vite-plugin-pwa': '1.3.0',
      vite: '7.3.8',
      'workbox-build': '7.4.1',
      'workbox-precaching': '7.4.1',
      'workbox-window': '7.4.1',
    },
  },
  'solid-start': {
    1: { '@solidjs/start': '1.3.2', '@solidjs/router': '0.15.4', 'solid-js': '1.9.19', vinxi: '0.5.11' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<number, Packages>>>>
