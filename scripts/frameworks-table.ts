import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FIXTURES = join(import.meta.dirname, '../fixtures')

/** What the world tests build: the framework, its package, the fixture that pins its version, and how symup gets into it. */
const TESTED: readonly (readonly [name: string, packageName: string, fixture: string, how: string])[] = [
  ['React', 'react', 'frameworks/react', 'Vite plugin'],
  ['Vue', 'vue', 'frameworks/vue', 'Vite plugin'],
  ['Svelte', 'svelte', 'frameworks/svelte', 'Vite plugin'],
  ['SvelteKit', '@sveltejs/kit', 'frameworks/sveltekit', 'Vite plugin'],
  ['Astro', 'astro', 'frameworks/astro', '`@symup/unplugin/astro`, in `integrations`'],
  ['Nuxt', 'nuxt', 'frameworks/nuxt', '`@symup/unplugin/nuxt`, in `modules`'],
  ['React Router', '@react-router/dev', 'commands/starters', 'Vite plugin'],
  ['Qwik City', '@builder.io/qwik-city', 'commands/starters', 'Vite plugin'],
  ['Angular', '@angular/core', 'frameworks/angular', '`ng add @symup/angular`'],
  ['Next.js', 'next', 'frameworks/nextjs', '`withSymup` of `@symup/unplugin/next`'],
  ['Parcel', 'parcel', 'commands/recipes', '`@symup/parcel-reporter`, in `reporters` of `.parcelrc`'],
  ['Expo', 'expo', 'frameworks/expo', '`withSymup` of `@symup/react-native`, and its config plugin'],
  ['React Native', 'react-native', 'frameworks/expo', '`symup.gradle` and `symup-xcode.sh` of `@symup/react-native`'],
]

/** The frameworks and the versions that the tests build, as Markdown. */
export function frameworksTable(): string {
  const rows = TESTED.map(([name, packageName, fixture, how]) => {
    const { dependencies } = JSON.parse(readFileSync(join(FIXTURES, fixture, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    return `| ${name} | ${dependencies[packageName]} | ${how} |`
  })
  return ['| framework | version | how |', '| --- | --- | --- |', ...rows].join('\n')
}
