export const LANGUAGES = ['en', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]

/** How a process is told which language its user reads. */
export interface LanguageInput {
  /** What the command line says; undefined where it says nothing. */
  given?: string | undefined
  env: NodeJS.ProcessEnv
  platform: NodeJS.Platform
  /** The locale of the system, asked for only where the environment has none. Default: `Intl`'s. */
  systemLocale?: () => string
}

/**
 * The language of messages and help: what the command line says, else `SYMUP_LANG`, else the locale (`LC_ALL`, `LC_MESSAGES`, `LANG`; on
 * Windows and macOS without them, the system's). English for a locale in any other language.
 * @returns `unknown`: what was asked for and is not there; the locale then decides.
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

/** `zh_CN.UTF-8`, `zh-Hans-CN`. What is printed is UTF-8: a terminal of another encoding, such as GBK, gets English. */
function languageOfLocale(locale: string): Language {
  const [name = '', encoding = 'utf-8'] = locale.split('@')[0]?.split('.') ?? []
  return /^zh(?:$|[_-])/i.test(name) && /^utf-?8$/i.test(encoding) ? 'zh' : 'en'
}

function intlLocale(): string {
  return new Intl.DateTimeFormat().resolvedOptions().locale
}
