export const LANGUAGES = ['en', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]

export interface LanguageInput {
  /** The language from the command line, or undefined if it is not set. */
  given?: string | undefined
  env: NodeJS.ProcessEnv
  platform: NodeJS.Platform
  /** Returns the locale to use if the environment does not set one. Default: the locale from `Intl`. */
  systemLocale?: () => string
}

/**
 * Chooses the language of messages and help from the command line, `SYMUP_LANG` or the locale, in this order. The locale is `LC_ALL`,
 * `LC_MESSAGES` or `LANG` or, on Windows and macOS, the system's locale. English is used for all languages other than Chinese.
 * @returns the language. If the requested language is not supported, `unknown` contains its name, and the language of the locale is used.
 */
export function chooseLanguage({ given, env, platform, systemLocale = intlLocale }: LanguageInput): {
  language: Language
  unknown?: string
} {
  const wanted = given ?? (env.SYMUP_LANG || undefined)
  if (wanted !== undefined && isLanguage(wanted)) return { language: wanted }
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG
  const hasSystemLocale = platform === 'win32' || platform === 'darwin'
  const language = languageOfLocale(locale ?? (hasSystemLocale ? systemLocale() : 'C'))
  return wanted === undefined ? { language } : { language, unknown: wanted }
}

function isLanguage(text: string): text is Language {
  return (LANGUAGES as readonly string[]).includes(text)
}

/**
 * Chinese is used for locales such as `zh_CN.UTF-8` and `zh-Hans-CN`. Output is always in UTF-8, so English is used for terminals with
 * another encoding, such as GBK.
 */
function languageOfLocale(locale: string): Language {
  const [name = '', encoding = 'utf-8'] = locale.split('@')[0]?.split('.') ?? []
  return /^zh(?:$|[_-])/i.test(name) && /^utf-?8$/i.test(encoding) ? 'zh' : 'en'
}

function intlLocale(): string {
  return new Intl.DateTimeFormat().resolvedOptions().locale
}
