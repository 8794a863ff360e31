import { afterEach, describe, expect, it } from 'vitest'
import { language, phrase, setLanguage, t, translated } from '../text.ts'
import { catalogueOf } from './catalogue.ts'
import { columnsOf, padded } from './columns.ts'
import { chooseLanguage } from './language.ts'

afterEach(() => setLanguage('en'))

describe('a translatable text', () => {
  it('shows a text in English by default', () => {
    expect(t`${2} of ${3} files`).toBe('2 of 3 files')
    expect(phrase`${'a'} of ${'b'} files`).toBe('{0} of {1} files')
  })

  it('shows a text in the language that was set last', () => {
    const say = (file: string) => t`No .sym files were found in ${file}.`
    setLanguage('zh')
    expect([language(), say('lib'), t`not in any catalogue ${1}`]).toEqual([
      'zh',
      'lib 中没有 .sym 文件。',
      'not in any catalogue 1',
    ])
    setLanguage('en')
    expect([language(), say('lib')]).toEqual(['en', 'No .sym files were found in lib.'])
  })

  it('recognizes a text from another process with its values', () => {
    const english = 'The symbols of libshop.so cannot be read. The header of the section .debug_info is missing.'
    expect(translated(english)).toBe(english)
    setLanguage('zh')
    expect(translated(english)).toBe('libshop.so 的符号无法读取。段 .debug_info 没有文件头。')
    expect(translated('Something that nobody translated.')).toBe('Something that nobody translated.')
  })
})

describe('a translation catalog', () => {
  const { filled, sentence } = catalogueOf({
    '{0} of {1} files': '{1} 个文件中的 {0} 个',
    'No {0} is set{1}.': '未设置 {0}{1}。',
    service: '服务',
    'The map {0} has nothing for line {1}, column {2}.': '映射 {0} 中没有第 {1} 行第 {2} 列。',
    '{0} map{1}': '{0} 个映射',
  })

  it('lets a translation order values differently and omit some of them', () => {
    expect(filled('{0} of {1} files', [2, 3])).toBe('3 个文件中的 2 个')
    expect(filled('{0} map{1}', [2, 's'])).toBe('2 个映射')
    expect(filled('{0} files', [2])).toBeUndefined()
  })

  it('adds a space only between Chinese and Latin letters', () => {
    expect(filled('No {0} is set{1}.', ['API key', ''])).toBe('未设置 API key。')
    expect(filled('No {0} is set{1}.', ['服务', ''])).toBe('未设置服务。')
  })

  it('inserts a value unchanged, including braces and dollar signs', () => {
    expect(filled('No {0} is set{1}.', ['{1}$&', ''])).toBe('未设置 {1}$&。')
  })

  it('finds the text for a finished sentence, but not for one that is too short', () => {
    expect(sentence('The map a, b.js has nothing for line 3, column 4.')).toBe('映射 a, b.js 中没有第 3 行第 4 列。')
    expect(sentence('a map of the world')).toBeUndefined()
    expect(sentence('No service is set.')).toBe('未设置服务。')
  })

  it('translates nested values, but limits the work for a hostile sentence', () => {
    const nested = catalogueOf({ 'It {0}.': '它{0}。', ended: '结束了' })
    expect(nested.sentence('It It ended..')).toBe('它它结束了。。')
    expect(nested.sentence(`${'It '.repeat(500)}ended${'.'.repeat(500)}`)).toMatch(/^它.*It .*。$/)
  })
})

describe('the output language', () => {
  const chosen = (
    env: NodeJS.ProcessEnv,
    given?: string,
    platform: NodeJS.Platform = 'linux',
    systemLocale = 'zh-CN',
  ) => chooseLanguage({ given, env, platform, systemLocale: () => systemLocale })

  it.each<[NodeJS.ProcessEnv, string]>([
    [{}, 'en'],
    [{ LANG: 'zh_CN.UTF-8' }, 'zh'],
    [{ LANG: 'zh_TW.utf8@radical' }, 'zh'],
    [{ LANG: 'zh_CN.GBK' }, 'en'],
    [{ LANG: 'de_DE.UTF-8' }, 'en'],
    [{ LANG: 'zh_CN.UTF-8', LC_ALL: 'C' }, 'en'],
    [{ LANG: 'en_US.UTF-8', LC_MESSAGES: 'zh_CN.UTF-8' }, 'zh'],
    [{ LANG: 'zh_CN.UTF-8', SYMUP_LANG: 'en' }, 'en'],
    [{ LANG: 'zh_CN.UTF-8', SYMUP_LANG: '' }, 'zh'],
  ])('chooses the language from %j: %s', (env, language) => {
    expect(chosen(env)).toEqual({ language })
  })

  it('takes the language from the command line first', () => {
    expect(chosen({ SYMUP_LANG: 'en', LANG: 'C' }, 'zh')).toEqual({ language: 'zh' })
    expect(chosen({ LANG: 'zh_CN.UTF-8' }, 'fr')).toEqual({ language: 'zh', unknown: 'fr' })
  })

  it('uses the system’s language on Windows and macOS if the environment sets none', () => {
    expect([chosen({}, undefined, 'win32'), chosen({}, undefined, 'darwin', 'en-GB')]).toEqual([
      { language: 'zh' },
      { language: 'en' },
    ])
    expect(chosen({ LANG: 'en_US.UTF-8' }, undefined, 'darwin')).toEqual({ language: 'en' })
  })
})

it('counts a Chinese character as two columns', () => {
  expect([columnsOf('源码 map，'), padded('源码', 6), padded('a long one', 4)]).toEqual([10, '源码  ', 'a long one'])
})
