import { describe, expect, it } from 'vitest'
import type { BuildPrefix } from '../prefix.ts'
import { prefixFrom, webpackPrefix, withRest } from './public-path.ts'

describe('the prefix from a public path', () => {
  it.each([
    ['/', '/'],
    ['/shop/', '/shop/'],
    ['https://cdn.example.com/shop/', 'https://cdn.example.com/shop/'],
    ['//cdn.example.com/shop/', '//cdn.example.com/shop/'],
    ['/my shop/größe/', '/my%20shop/gr%C3%B6%C3%9Fe/'],
    ['https://例え.jp/', 'https://xn--r8jz45g.jp/'],
    ['/my%20shop/', '/my%20shop/'],
  ])('derives the prefix from %s: %s', (publicPath, value) => {
    expect(prefixFrom(publicPath, 'base')).toEqual({ value, from: 'base' })
  })

  it.each([
    ['', "base is relative ('')"],
    ['./', "base is relative ('./')"],
    ['../up/', "base is relative ('../up/')"],
    ['auto', "base is 'auto'"],
    ['shop/', "base is relative ('shop/')"],
    ['C:\\shop', "base is 'C:\\shop'"],
    ['/[fullhash]/', "base contains a placeholder ('/[fullhash]/')"],
    ['/[contenthash:8]/', "base contains a placeholder ('/[contenthash:8]/')"],
    ['/a?b', "base is '/a?b'"],
    [() => '/', 'base is a function'],
  ])('derives no prefix from %s, because %s', (publicPath, because) => {
    expect(prefixFrom(publicPath, 'base')).toEqual({ because })
  })

  it('derives no prefix if the public path is not set', () => {
    expect(prefixFrom(undefined, 'base')).toBeUndefined()
  })
})

describe('the prefix with HtmlWebpackPlugin', () => {
  class HtmlWebpackPlugin {
    userOptions: object
    constructor(userOptions: object) {
      this.userOptions = userOptions
    }
  }

  it.each([
    ['auto', 'https://cdn.example.com/shop/', { value: 'https://cdn.example.com/shop/' }],
    ['/shop/', '/shop', { value: '/shop/' }],
    ['/shop/', 'auto', { value: '/shop/' }],
    ['/shop/', './', { value: '/shop/' }],
    ['/', undefined, { value: '/' }],
    ['/', 'https://cdn.example.com/', { because: expect.stringContaining("HtmlWebpackPlugin's publicPath differs") }],
  ])('combines output.publicPath %s with the %s of HtmlWebpackPlugin', (publicPath, ofPage, expected) => {
    const plugins = [new HtmlWebpackPlugin({ publicPath: ofPage })]
    expect(webpackPrefix({ output: { publicPath }, plugins }, '/shop')).toMatchObject(expected)
  })
})

describe("the prefix for Electron Forge's webpack plugin, which has no public path", () => {
  it.each(['main', 'renderer'])('puts the prefix for %s below the installed app', (part) => {
    const output = { path: `/shop/.webpack/${part}` }
    expect(webpackPrefix({ output, plugins: [] }, '/shop')).toMatchObject({ value: `app:///.webpack/${part}` })
  })

  it.each(['/shop/.webpack', '/shop/.webpack/other', '/elsewhere/.webpack/main', '/shop/dist', undefined])(
    'finds no prefix for output in %s',
    (path) => {
      expect(webpackPrefix({ output: { ...(path !== undefined && { path }) }, plugins: [] }, '/shop')).toBeUndefined()
    },
  )
})

describe("a prefix only for a framework's own output", () => {
  const cdn = { value: 'https://cdn/x/', from: 'assetPrefix' }
  const exceptionFor = (prefix: BuildPrefix | undefined, assets: string, base: string, file: string) => {
    const found = withRest(prefix, assets, base)
    return found !== undefined && 'exceptionFor' in found ? found.exceptionFor?.(file) : 'no answer'
  }
  it.each(['_next', '/_next/', '//_next'])('applies the prefix below %s', (assets) => {
    expect(withRest(cdn, assets, '/shop')).toMatchObject(cdn)
    expect(exceptionFor(cdn, assets, '/shop', '_next/a.js')).toBeUndefined()
    expect(exceptionFor(cdn, assets, '/shop', 'sw.js')).toBe('/shop')
    expect(exceptionFor(cdn, assets, '/shop', '_nextish/a.js')).toBe('/shop')
  })

  it('applies no separate prefix if either path is unknown', () => {
    expect(withRest(undefined, '_next', '/')).toBeUndefined()
    expect(withRest({ because: 'x' }, '_next', '/')).toEqual({ because: 'x' })
    expect(withRest(cdn, '_next', './')).toEqual(cdn)
  })
})
