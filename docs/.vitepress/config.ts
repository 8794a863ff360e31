// The site is generated from the Markdown files in the repository, so that no content is duplicated.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { defineConfig, type SiteConfig } from 'vitepress'
import { anchorOf, hrefOnSite, routeOf } from './links.ts'

const root = resolve(import.meta.dirname, '../..')
// The pages are outside this package, in directories where Vue is not installed.
const ofVitePress = createRequire(createRequire(import.meta.url).resolve('vitepress/package.json'))
const exists = (path: string) => existsSync(join(root, path))
const group = (text: string, ...items: (readonly [text: string, link: string])[]) => ({
  text,
  items: items.map(([name, link]) => ({ text: name, link })),
})

export default defineConfig({
  title: 'symup',
  description: 'Uploads symbol files, checks that stack traces will resolve, and explains why frames do not.',
  srcDir: root,
  outDir: join(root, 'docs/dist'),
  cacheDir: join(root, '.cache/vitepress'),
  srcExclude: ['fixtures/**', 'test/**', '.*/**', 'packages/*/!(README).md', 'packages/*/*/**', 'CODE_OF_CONDUCT.md'],
  rewrites: routeOf,
  cleanUrls: true,
  lastUpdated: false,
  vite: {
    build: { chunkSizeWarningLimit: 2000 },
    resolve: { alias: [{ find: /^vue(?=$|\/)/, replacement: dirname(ofVitePress.resolve('vue/package.json')) }] },
  },
  markdown: {
    anchor: { slugify: anchorOf },
    config(md) {
      md.core.ruler.push('repository-links', ({ tokens, env }) => {
        const page = env.realPath ?? env.path
        const from = page.slice(root.length + 1)
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null
          if (href) token.attrSet('href', hrefOnSite(href, from, exists))
        }
      })
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: 'https://github.com/symup/symup' }],
    nav: [
      { text: 'Quick start', link: '/quick-start' },
      { text: 'Questions', link: '/questions' },
      { text: 'Still minified?', link: '/still-minified' },
      { text: 'Problem codes', link: '/problems' },
    ],
    sidebar: [
      group(
        'Start',
        ['What it is', '/'],
        ['Quick start', '/quick-start'],
        ['快速开始', '/quick-start.zh-CN'],
        ['Questions and answers', '/questions'],
        ['Coming from another uploader', '/migrating'],
      ),
      group(
        'Understand',
        ['Concepts', '/concepts'],
        ['What fails a build', '/gate'],
        ['Why is my stack still minified?', '/still-minified'],
        ['How the checks are measured', '/evidence/proof-corpus'],
        ['Local intake reference', '/intake'],
        ['Several intakes', '/scale'],
        ['Decisions', '/decisions/'],
      ),
      group(
        'Build tools and platforms',
        ['The plugin', '/packages/unplugin'],
        ['Bundlers', '/bundlers'],
        ['Frameworks', '/frameworks'],
        ['Module Federation', '/recipes/module-federation'],
        ['Electron', '/recipes/electron'],
        ['Cloudflare Workers', '/recipes/workers'],
        ['Node servers', '/recipes/node-servers'],
        ['Parcel', '/recipes/parcel'],
        ['Reading the release at run time', '/recipes/release'],
        ['Angular', '/packages/angular'],
        ['React Native and Expo', '/packages/react-native'],
        ['The command; iOS', '/packages/cli'],
        ['Android', '/packages/android'],
        ['HarmonyOS', '/packages/hvigor'],
        ['Mini programs', '/packages/mini-program'],
        ['Local intake, for tests', '/packages/intake'],
        ['Tests in any language', '/testing'],
      ),
      group(
        'In CI',
        ['GitHub Actions', '/recipes/github-actions'],
        ['GitLab CI', '/recipes/gitlab'],
        ['Jenkins', '/recipes/jenkins'],
        ['Turborepo and Nx', '/recipes/monorepo'],
      ),
      group(
        'Reference',
        ['Commands and flags', '/reference/commands'],
        ['JSON documents', '/reference/json'],
        ['Problem codes', '/problems'],
        ['@symup/core', '/packages/core'],
        ['@symup/symbolicate', '/packages/symbolicate'],
        ['@symup/demangle', '/packages/demangle'],
        ['API', '/api/'],
      ),
      group('The project', ['Contributing', '/CONTRIBUTING'], ['Extending', '/extending'], ['Security', '/SECURITY'], ['Changes', '/CHANGELOG']),
    ],
  },
  buildEnd: writeLlmsTxt,
})

/** Writes each page as Markdown next to its HTML, and an `llms.txt` file that lists all pages (llmstxt.org). */
function writeLlmsTxt({ outDir, site, rewrites, pages }: SiteConfig): void {
  const lines = pages
    .filter((page) => !page.startsWith('docs/api/'))
    .map((page) => {
      const route = rewrites.map[page] ?? page
      const [, title = route] = /^# (.+)$/m.exec(readFileSync(join(root, page), 'utf8')) ?? []
      mkdirSync(dirname(join(outDir, route)), { recursive: true })
      cpSync(join(root, page), join(outDir, route))
      return `- [${title}](${site.base}${route})`
    })
  writeFileSync(join(outDir, 'llms.txt'), `# ${site.title}\n\n> ${site.description}\n\n${lines.join('\n')}\n`)
}
