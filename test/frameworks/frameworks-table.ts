import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAJORS, type Packages } from './majors.ts'
import { TEMPLATES } from './templates.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures')

const NITRO = 'Vite plugin; with and without Nitro'

/** Frameworks in the world and nightly tests: name, package, the fixture that pins its version, and how symup is added. */
const TESTED: readonly (readonly [name: string, packageName: string, fixture: string, how: string])[] = [
  ['React', 'react', 'frameworks/react', 'Vite plugin'],
  ['Vue', 'vue', 'frameworks/vue', 'Vite plugin'],
  ['Svelte', 'svelte', 'frameworks/svelte', 'Vite plugin'],
  ['SvelteKit', '@sveltejs/kit', 'frameworks/sveltekit', 'Vite plugin'],
  ['Astro', 'astro', 'frameworks/astro', '`@symup/unplugin/astro`, in `integrations`'],
  ['Nuxt', 'nuxt', 'frameworks/nuxt', '`@symup/unplugin/nuxt`, in `modules`'],
  ['React Router', '@react-router/dev', 'commands/starters', 'Vite plugin'],
  ['TanStack Start', '@tanstack/react-start', 'commands/starters/tanstack-start', NITRO],
  ['SolidStart', '@solidjs/start', 'commands/starters/solid-start', 'Vite plugin; with Nitro 2 and 3'],
  ['Qwik City', '@builder.io/qwik-city', 'commands/starters', 'Vite plugin'],
  ['vite-plugin-pwa', 'vite-plugin-pwa', 'commands/starters/pwa', 'Vite plugin; both of its strategies'],
  ['Angular', '@angular/core', 'frameworks/angular', '`ng add @symup/angular`'],
  ['Next.js', 'next', 'frameworks/nextjs', '`withSymup` of `@symup/unplugin/next`; both bundlers'],
  ['electron-vite', 'electron-vite', 'commands/recipes', 'Vite plugin, in its three configs'],
  ['Parcel', 'parcel', 'commands/recipes', '`@symup/parcel-reporter`, in `reporters` of `.parcelrc`'],
  ['Expo', 'expo', 'frameworks/expo', '`withSymup` of `@symup/react-native`, and its config plugin'],
  ['React Native', 'react-native', 'frameworks/expo', '`symup.gradle` and `symup-xcode.sh` of `@symup/react-native`'],
  ['NativeScript', '@nativescript/core', 'frameworks/nativescript', 'webpack plugin, in `chainWebpack`'],
]

/** Each framework's package and version. Expo's package includes React Native. */
const OTHERS = Object.values(MAJORS)
  .flatMap((majors) => Object.values(majors) as Packages[])
  .flatMap((packages) => Object.entries(packages).filter(([name], place) => place === 0 || name === 'react-native'))

/** The frameworks and versions in the tests, as Markdown. */
export function frameworksTable(): string {
  const rows = TESTED.map(([name, packageName, fixture, how]) => {
    const { dependencies } = JSON.parse(readFileSync(join(FIXTURES, fixture, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const others = OTHERS.filter(([framework]) => framework === packageName).map(([, version]) => version)
    const versions = [dependencies[packageName] as string, ...others].sort(
      (a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10),
    )
    return `| ${name} | ${versions.join(', ')} | ${how} |`
  })
  return ['| framework | versions | how |', '| --- | --- | --- |', ...rows].join('\n')
}

/** The project templates in the tests, as a list. */
export function templatesList(): string {
  return TEMPLATES.map(({ name }) => `- ${name}`).join('\n')
}
