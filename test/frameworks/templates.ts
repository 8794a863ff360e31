/** A newcomer's starting point. */
export interface Template {
  name: string
  /** The command that creates the directory `app`. */
  create?: string
  /** For tools whose creator needs another site than the registry: the files from the tool's guide. */
  files?: Readonly<Record<string, string>>
  /** The page's first module, in which an error is thrown. */
  main: string
  /** The part of the output for browsers. */
  output?: string
  /** Arguments of `npm run build`, for each of its builds. Default: one build without arguments. */
  builds?: readonly (readonly string[])[]
  /** A script and its arguments that serve the app on the given port. Default: a plain web server. */
  server?(port: number): readonly string[]
  /** Its page is a file of an installed app. */
  isApp?: true
  /** It needs a newer Node than the workspace. */
  needsNode22?: boolean
}

const vite = (template: string, main = 'src/main.ts'): Template => ({
  name: `create-vite, ${template}`,
  create: `create-vite@9 app --template ${template} --no-interactive`,
  main,
})

export const TEMPLATES: readonly Template[] = [
  vite('react-ts', 'src/main.tsx'),
  vite('vue-ts'),
  vite('svelte-ts'),
  vite('solid-ts', 'src/index.tsx'),
  vite('preact-ts', 'src/main.tsx'),
  vite('lit-ts', 'src/my-element.ts'),
  vite('vanilla-ts'),
  {
    name: 'Vue CLI',
    create: '@vue/cli@5 create app --default --no-git --packageManager npm',
    main: 'src/main.js',
  },
  {
    name: 'Create React App',
    files: {
      'package.json': JSON.stringify({
        name: 'app',
        private: true,
        scripts: { build: 'react-scripts build' },
        dependencies: { react: '^18.3.1', 'react-dom': '^18.3.1', 'react-scripts': '^5.0.1' },
        eslintConfig: { extends: ['react-app'] },
        browserslist: { production: ['>0.2%', 'not dead', 'not op_mini all'] },
      }),
      'public/index.html': '<!doctype html>\n<html lang="en">\n<body><div id="root"></div></body>\n</html>\n',
      'src/index.js':
        "import React from 'react'\nimport ReactDOM from 'react-dom/client'\n\nReactDOM.createRoot(document.getElementById('root')).render(<p>Shop</p>)\n",
    },
    main: 'src/index.js',
    output: 'build',
  },
  {
    name: 'create-next-app, turbopack and webpack',
    // The other templates load fonts from another site.
    create:
      'create-next-app@16 app --ts --app --empty --no-tailwind --no-src-dir --use-npm --skip-install --disable-git --yes',
    files: { 'instrumentation-client.ts': '' },
    builds: [
      ['--', '--turbopack'],
      ['--', '--webpack'],
    ],
    main: 'instrumentation-client.ts',
    output: '.next/static',
    server: (port) => ['node_modules/next/dist/bin/next', 'start', '--port', `${port}`],
  },
  {
    name: 'SvelteKit, demo',
    create: 'sv@0 create app --template demo --types ts --add sveltekit-adapter=adapter:node --no-install',
    // The client starts with this file.
    files: { 'src/hooks.client.ts': '' },
    main: 'src/hooks.client.ts',
    output: 'build/client',
    server: () => ['build/index.js'],
  },
  {
    name: 'ng new',
    create: '@angular/cli@22 new app --defaults --skip-git --skip-install --package-manager npm',
    main: 'src/main.ts',
    output: 'dist/app/browser',
    needsNode22: true,
  },
  {
    name: 'create-rsbuild',
    // A later version needs a package that does not exist.
    create: 'create-rsbuild@2.2.5 app --template react-ts',
    main: 'src/index.tsx',
  },
  {
    name: 'electron-vite',
    create: '@quick-start/create-electron@1 app --template vanilla-ts --skip',
    main: 'src/renderer/src/renderer.ts',
    output: 'out/renderer',
    isApp: true,
  },
  {
    name: 'TanStack Start',
    create:
      '@tanstack/cli@0 create app --blank --deployment nitro --no-install --non-interactive --no-git --no-intent --no-toolchain --package-manager npm',
    files: {
      'src/client.tsx':
        "import { StartClient } from '@tanstack/react-start/client'\nimport { hydrateRoot } from 'react-dom/client'\n\nhydrateRoot(document, <StartClient />)\n",
    },
    main: 'src/client.tsx',
    output: '.output/public',
    server: () => ['.output/server/index.mjs'],
    needsNode22: true,
  },
  {
    name: 'Nuxt',
    files: {
      'package.json': JSON.stringify({
        name: 'app',
        private: true,
        type: 'module',
        scripts: { build: 'nuxt build', postinstall: 'nuxt prepare' },
        dependencies: { nuxt: '^4.4.2', vue: '^3.5.30', 'vue-router': '^5.0.3' },
      }),
      'nuxt.config.ts':
        "// https://nuxt.com/docs/api/configuration/nuxt-config\nexport default defineNuxtConfig({\n  compatibilityDate: '2025-07-15',\n  devtools: { enabled: true }\n})\n",
      'app/app.vue': '<template>\n  <div>\n    <NuxtRouteAnnouncer />\n    <NuxtWelcome />\n  </div>\n</template>\n',
      'app/plugins/shop.client.ts': "import '../shop'\n\nexport default defineNuxtPlugin(() => {})\n",
      'app/shop/index.ts': '',
    },
    main: 'app/shop/index.ts',
    output: '.output/public',
    server: () => ['.output/server/index.mjs'],
  },
  {
    name: 'Starlight',
    files: {
      'package.json': JSON.stringify({
        name: 'app',
        private: true,
        type: 'module',
        scripts: { build: 'astro build' },
        dependencies: { '@astrojs/starlight': '^0.42.0', astro: '^7.0.0', sharp: '^0.34.2' },
      }),
      'astro.config.mjs':
        "// @ts-check\nimport { defineConfig } from 'astro/config';\nimport starlight from '@astrojs/starlight';\n\n// https://astro.build/config\nexport default defineConfig({\n\tintegrations: [\n\t\tstarlight({\n\t\t\ttitle: 'My Docs',\n\t\t}),\n\t],\n});\n",
      'src/content.config.ts':
        "import { defineCollection } from 'astro:content';\nimport { docsLoader } from '@astrojs/starlight/loaders';\nimport { docsSchema } from '@astrojs/starlight/schema';\n\nexport const collections = {\n\tdocs: defineCollection({ loader: docsLoader(), schema: docsSchema() }),\n};\n",
      'src/content/docs/index.mdx':
        "---\ntitle: Welcome\n---\n\nimport Shop from '../../components/Shop.astro';\n\n<Shop />\n",
      'src/components/Shop.astro': '<p>Shop</p>\n<script>\n\timport("../shop");\n</script>\n',
      'src/shop.ts': '',
    },
    // Astro inlines the page's first module, which is small.
    main: 'src/shop.ts',
    needsNode22: true,
  },
]
