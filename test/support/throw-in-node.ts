import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Runs the one chunk of the fixture app that needs no page, `checkout`, in Node until it throws. Node names files, not URLs, so the path of the
 * output directory is replaced by the URL under which it is deployed.
 */
export async function throwInNode(outDir: string, deployedUrl: string): Promise<string> {
  const chunk = readdirSync(join(outDir, 'assets')).find((file) => /^checkout-.*\.js$/.test(file))
  if (chunk === undefined) throw new Error(`no checkout chunk in ${outDir}`)
  const { openCheckout } = await import(/* @vite-ignore */ pathToFileURL(join(outDir, 'assets', chunk)).href)
  const error: Error = await openCheckout().then(
    () => {
      throw new Error('the checkout did not throw')
    },
    (thrown: Error) => thrown,
  )
  return (error.stack ?? '').replaceAll(`${pathToFileURL(outDir).href}/`, deployedUrl)
}
