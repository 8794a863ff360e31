const SYMBOL_MAP = /(?:^|\/)([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.bcsymbolmap$/i

/** `Shop.app.dSYM.zip`, `appDsyms.zip`, App Center's `symbols.zip`: an archive with dSYMs. */
export const isDsymArchive = (file: string): boolean => /(?:dSYMs?[^/]*|(?:^|\/)symbols)\.zip$/i.test(file)

/** Archives with any name or format that may contain dSYMs. */
export const isAnyArchive = (file: string): boolean =>
  /\.(?:zip|7z|rar|tar|tgz|txz|tbz2?|tar\.(?:gz|xz|bz2|zst))$/i.test(file)

/** Matches the only file of an incomplete `.dSYM`: a file with that name, or its Info.plist. */
const SHELL = /^(.*\.dSYM)(?:\/Contents\/Info\.plist)?$/i

/** The path of the incomplete `.dSYM`. */
export const dsymOfShell = (file: string): string | undefined => SHELL.exec(file)?.[1]

/** Header of a BCSymbolMap. Xcode has written only this version since Xcode 8. */
export const SYMBOL_MAP_HEADER = 'BCSymbolMap Version: 2.0'

/** The upper-case UUID in the name of a BCSymbolMap; undefined for other files. */
export function symbolMapUuid(file: string): string | undefined {
  return SYMBOL_MAP.exec(file)?.[1]?.toUpperCase()
}

/** Path of an image's BCSymbolMap in a packed `.dSYM`. The image's UUID is its name. */
export const symbolMapIn = (uuid: string): string => `Contents/Resources/BCSymbolMaps/${uuid}.bcsymbolmap`
