import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { ROOT } from '../../support/build-fixture.ts'

/** Screenshots at a quarter of their size, reviewed by a person. */
const BASELINES = join(ROOT, 'test/e2e/inspector/shots')
const SCALE = 4
/** Difference per colour channel, of 255. Slightly different letter shapes stay below it after scaling down. */
const VISIBLE = 40

// Types for code that runs in the browser. This project has no DOM types.
interface Canvas {
  width: number
  height: number
  getContext(kind: '2d'): {
    imageSmoothingQuality: string
    drawImage(image: unknown, x: number, y: number, width: number, height: number): void
    getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray }
  }
  toDataURL(): string
}
declare const document: { createElement(name: 'canvas'): Canvas }
declare const Image: new () => { src: string; width: number; height: number; decode(): Promise<void> }

/** Scales a screenshot down, in the browser. */
async function shrunk(browser: Browser, shot: Buffer): Promise<Buffer> {
  const page = await browser.newPage()
  const url = await page.evaluate(
    async ({ source, scale }) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = Math.round(image.width / scale)
      canvas.height = Math.round(image.height / scale)
      const context = canvas.getContext('2d')
      context.imageSmoothingQuality = 'high'
      context.drawImage(image, 0, 0, canvas.width, canvas.height)
      return canvas.toDataURL()
    },
    { source: asUrl(shot), scale: SCALE },
  )
  await page.close()
  return Buffer.from(url.split(',')[1] as string, 'base64')
}

/** The share of pixels that differ visibly, 0 to 1; 1 if the sizes differ. */
async function differenceOf(browser: Browser, one: Buffer, other: Buffer): Promise<number> {
  const page = await browser.newPage()
  const share = await page.evaluate(
    async ({ sources, visible }) => {
      const [a, b] = await Promise.all(
        sources.map(async (source) => {
          const image = new Image()
          image.src = source
          await image.decode()
          const canvas = document.createElement('canvas')
          canvas.width = image.width
          canvas.height = image.height
          const context = canvas.getContext('2d')
          context.drawImage(image, 0, 0, image.width, image.height)
          return context.getImageData(0, 0, image.width, image.height).data
        }),
      )
      if (!a || !b || a.length !== b.length) return 1
      let different = 0
      for (let index = 0; index < a.length; index += 4) {
        const most = Math.max(
          ...[0, 1, 2].map((channel) => Math.abs((a[index + channel] as number) - (b[index + channel] as number))),
        )
        if (most > visible) different++
      }
      return different / (a.length / 4)
    },
    { sources: [asUrl(one), asUrl(other)], visible: VISIBLE },
  )
  await page.close()
  return share
}

const asUrl = (png: Buffer) => `data:image/png;base64,${png.toString('base64')}`

/**
 * How much a screenshot differs from its baseline, as a share of its pixels. `SYMUP_SHOTS=update` makes it the new baseline.
 * @throws Error without a baseline.
 */
export async function differenceFromBaseline(browser: Browser, name: string, shot: Buffer): Promise<number> {
  const file = join(BASELINES, `${name}.png`)
  const small = await shrunk(browser, shot)
  if (process.env.SYMUP_SHOTS === 'update') {
    mkdirSync(BASELINES, { recursive: true })
    writeFileSync(file, small)
  }
  if (!existsSync(file)) throw new Error(`There is no baseline ${file}: run with SYMUP_SHOTS=update, and look at it.`)
  return differenceOf(browser, small, readFileSync(file))
}
