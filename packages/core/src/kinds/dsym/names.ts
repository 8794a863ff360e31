const SYMBOL_MAP = /(?:^|\/)([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.bcsymbolmap$/i

/** `Shop.app.dSYM.zip`, `appDsyms.zip`, App Center's `symbols.zip`: an archive with dSYMs. */
export const isDsymArchive = (file: string): boolean => /(?:dSYMs?[^/]*|(?:^|\/)symbols)\.zip$/i.test(file)

/** What may hold dSYMs, whatever it is called, or in another form than a zip. */
export const isAnyArchive = (file: string): boolean =>
  /\.(?:zip|7z|rar|tar|tgz|txz|tbz2?|tar\.(?:gz|xz|bz2|zst))$/i.test(file)

/** Of a `.dSYM` that may have nothing else: the file in its place, or what describes it. */
const SHELL = /^(.*\.dSYM)(?:\/Contents\/Info\.plist)?$/i

/** The `.dSYM` that such a file is of. */
export const dsymOfShell = (file: string): string | undefined => SHELL.exec(file)?.[1]

/** How a BCSymbolMap begins; Xcode has written no other version since its 8th. */
export const SYMBOL_MAP_HEADER = 'BCSymbolMap Version: 2.0'

/** The UUID, in upper case, that the name of a BCSymbolMap says; undefined for other files. */
export function symbolMapUuid(file: string): string | undefined {
  return SYMBOL_MAP.exec(file)?.[1]?.toUpperCase()
}

/** Where a packed `.dSYM` has the BCSymbolMap of an image, under the image's UUID. */
export const symbolMapIn = (uuid: string): string => `Contents/Resources/BCSymbolMaps/${uuid}.bcsymbolmap`
