const SYMBOL_MAP = /(?:^|\/)([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.bcsymbolmap$/i

/** Returns whether a file is an archive of dSYMs, such as `Shop.app.dSYM.zip`, `appDsyms.zip` or App Center's `symbols.zip`. */
export const isDsymArchive = (file: string): boolean => /(?:dSYMs?[^/]*|(?:^|\/)symbols)\.zip$/i.test(file)

export const isAnyArchive = (file: string): boolean =>
  /\.(?:zip|7z|rar|tar|tgz|txz|tbz2?|tar\.(?:gz|xz|bz2|zst))$/i.test(file)

/** Matches an incomplete `.dSYM`, which is either a plain file or a bundle with only an Info.plist. */
const SHELL = /^(.*\.dSYM)(?:\/Contents\/Info\.plist)?$/i

export const dsymOfShell = (file: string): string | undefined => SHELL.exec(file)?.[1]

/** The header of a BCSymbolMap. Xcode 8 and later versions write only version 2.0. */
export const SYMBOL_MAP_HEADER = 'BCSymbolMap Version: 2.0'

export function symbolMapUuid(file: string): string | undefined {
  return SYMBOL_MAP.exec(file)?.[1]?.toUpperCase()
}

/** Returns the path of a BCSymbolMap in a packed `.dSYM`. The file name of a BCSymbolMap is the UUID of the image. */
export const symbolMapIn = (uuid: string): string => `Contents/Resources/BCSymbolMaps/${uuid}.bcsymbolmap`
