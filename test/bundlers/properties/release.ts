import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestIntake } from '@symup/intake/testing'
import type { SymupOptions } from '@symup/unplugin/vite'
import { expect, it } from 'vitest'
import { filesBelow } from '../../support/files-below.ts'
import { logged } from '../../support/printed.ts'
import { isScript, optionsFor, temporaryOutput } from '../bundle.ts'

export const HTML =
  '<!doctype html>\n<html><!-- <head> --><head lang="en"><title>shop</title></head><body></body></html>\n'
export const OTHERS = '<!doctype html><title>legal</title>'

export interface App {
  root: string
  out: string
}

export const packed = ({ root, out }: App) => ({
  mode: 'production' as const,
  context: root,
  entry: './src/main.js',
  output: { path: out, publicPath: '/shop/', filename: '[name].[contenthash].js' },
})

export function makeApp(root: string): App {
  mkdirSync(join(root, 'src'), { recursive: true })
  writeFileSync(join(root, 'src/main.js'), 'console.log(document.title.length)\n')
  writeFileSync(
    join(root, 'index.html'),
    HTML.replace('</body>', '<script type="module" src="/src/main.js"></script></body>'),
  )
  return { root, out: join(root, 'dist') }
}

export const metasIn = (html: string) =>
  [...html.matchAll(/<meta name="release" content="([^"]*)">/g)].map(([, it]) => it)
export const decoded = (text = '') =>
  text.replace(/&(quot|lt|gt|amp);/g, (_, name: string) => ({ quot: '"', lt: '<', gt: '>', amp: '&' })[name] as string)

export type Build = (app: App, options: SymupOptions) => Promise<unknown>

/** `injectRelease`: the release is in the page, and no script differs between releases. */
export function injectsRelease(name: string, build: Build, intake: TestIntake): void {
  it('writes the release into the page, and into nothing else', async () => {
    using made = temporaryOutput()
    const app = makeApp(made.path)
    const builds: Record<string, string>[] = []
    for (const version of ['1.2.3', '1.2.4+"<b>&amp;']) {
      const options = optionsFor(intake, `release-${name}`, { version, injectRelease: true })
      const printed = await logged(() => build(app, options))
      expect(printed).not.toContain('release-not-injected')
      const files = filesBelow(app.out)
      const page = readFileSync(join(app.out, 'index.html'), 'utf8')
      const [meta, ...others] = metasIn(page)
      expect(others).toEqual([])
      expect(JSON.parse(decoded(meta)), page).toEqual({ service: `release-${name}`, version })
      // Inside the head, but not in a comment.
      expect(page.replace(/<!--.*?-->/g, '')).toMatch(/<head[^>]*>\s*<meta name="release"/)
      const scripts = files.filter(isScript)
      expect(scripts).not.toEqual([])
      builds.push(Object.fromEntries(scripts.map((file) => [file, readFileSync(join(app.out, file), 'utf8')])))
      if (name !== 'webpack') continue
      for (const file of ['legal.html', 'old.1a2b3c.html'])
        expect(readFileSync(join(app.out, file), 'utf8')).toBe(OTHERS)
    }
    expect(builds[1]).toEqual(builds[0])
  })
}

export function injectsNothing(name: string, build: Build, intake: TestIntake): void {
  it('reports a build that writes no page', async () => {
    using made = temporaryOutput()
    const options = optionsFor(intake, `no-page-${name}`, { injectRelease: true })
    const printed = await logged(() => build(makeApp(made.path), options))
    expect(printed).toMatch(/warning release-not-injected: The build did not write an HTML page/)
    expect(printed).toContain('docs/recipes/release.md')
    expect(printed).toContain('Uploaded 1 artifact')
  })
}
