import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const SCRIPT =
  'import(process.argv[1]).then((chunk) => chunk.openCheckout()).catch((error) => console.log(error.stack))'

/**
 * Runs the only chunk of the fixture app that needs no page, `checkout`, in plain Node until it throws. Node reports
 * files instead of URLs, so the path of the output directory is replaced with its deployment URL.
 */
export function throwInNode(outDir: string, deployedUrl: string): string {
  const chunk = readdirSync(join(outDir, 'assets')).find((file) => /^checkout-.*\.js$/.test(file))
  if (chunk === undefined) throw new Error(`no checkout chunk in ${outDir}`)
  const stack = execFileSync(process.execPath, ['-e', SCRIPT, pathToFileURL(join(outDir, 'assets', chunk)).href], {
    encoding: 'utf8',
  })
  if (stack === '') throw new Error('the checkout did not throw')
  return stack.replaceAll(`${pathToFileURL(outDir).href}/`, deployedUrl)
}
