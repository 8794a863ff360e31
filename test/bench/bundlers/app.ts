import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The dimensions of the generated app, which resembles the routes of a large single-page app. */
export interface AppSize {
  /** Number of lazy routes, each a chunk. */
  routes: number
  /** Number of modules in each route. */
  modules: number
  /** Number of functions in a module. */
  functions: number
}

export const BIG: AppSize = { routes: 300, modules: 6, functions: 20 }

/** Writes the app's sources into a repository, unless an earlier run did. The same size results in the same bytes. Needs git. */
export function makeApp(directory: string, size: AppSize): void {
  const made = join(directory, `.made-${size.routes}-${size.modules}-${size.functions}`)
  if (existsSync(made)) return
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(join(directory, 'src'), { recursive: true })
  const write = (file: string, lines: string[]) => writeFileSync(join(directory, file), `${lines.join('\n')}\n`)
  write('src/money.js', moduleOf('money', size.functions))
  for (let route = 0; route < size.routes; route++) {
    mkdirSync(join(directory, `src/route-${route}`))
    const parts = Array.from({ length: size.modules }, (_, part) => part)
    for (const part of parts) {
      write(`src/route-${route}/part-${part}.js`, moduleOf(`route${route}part${part}`, size.functions))
    }
    write(`src/route-${route}/index.js`, [
      ...parts.map((part) => `import * as part${part} from './part-${part}.js'`),
      "import * as money from '../money.js'",
      `export default (input) => [money, ${parts.map((part) => `part${part}`).join(', ')}].map((all) => Object.values(all).map((one) => one(input)))`,
    ])
  }
  const routes = Array.from({ length: size.routes }, (_, route) => `  () => import('./route-${route}/index.js'),`)
  write('src/main.js', [
    'const routes = [',
    ...routes,
    ']',
    'const { default: show } = await routes[location.hash.length % routes.length]()',
    'document.title = String(show({ lines: [location.href], rate: 2 }))',
  ])
  write('index.html', ['<!doctype html>', '<script type="module" src="/src/main.js"></script>'])
  write('package.json', ['{ "name": "bench-app", "version": "1.0.0", "private": true, "type": "module" }'])
  write('.gitignore', ['dist-*', 'vite.*.config.mjs', '.made-*'])
  const git = (...args: string[]) => execFileSync('git', args, { cwd: directory, stdio: 'ignore' })
  git('init')
  git('remote', 'add', 'origin', 'https://example.com/bench/app.git')
  git('add', '.')
  git('-c', 'user.name=bench', '-c', 'user.email=bench@example.com', 'commit', '-m', 'The app')
  writeFileSync(made, '')
}

function moduleOf(name: string, functions: number): string[] {
  return Array.from({ length: functions }, (_, index) => [
    `/** Adds up what the lines of ${name} are worth. */`,
    `export function ${name}Total${index}(order) {`,
    '  let total = 0',
    '  for (const line of order.lines) {',
    `    if (line.length > ${index * 7 + 3}) throw new RangeError(\`${name}: line \${line} is longer than ${index * 7 + 3}\`)`,
    `    total += line.length * order.rate + ${(index * 31) % 17}`,
    '  }',
    `  const discount = total > ${100 + index} ? { kind: '${name}', percent: ${(index * 13) % 50} } : undefined`,
    '  return discount ? total - (total * discount.percent) / 100 : total',
    '}',
    '',
  ]).flat()
}
