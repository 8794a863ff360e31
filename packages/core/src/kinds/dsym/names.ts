const SYMBOL_MAP = /(?:^|\/)([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.bcsymbolmap$/i

/** `Shop.app.dSYM.zip`, `appDsyms.zip`: an archive with dSYMs. */
export const isDsymArchive = (file: string): boolean => /dSYMs?[^/]*\.zip$/i.test(file)

/** How a BCSymbolMap begins; Xcode has written no other version since its 8th. */
export const SYMBOL_MAP_HEADER = 'BCSymbolMap Version: 2.0'

/** The UUID, in upper case, that the name of a BCSymbolMap says; undefined for other files. */
export function symbolMapUuid(file: string): string | undefined {
  return SYMBOL_MAP.exec(file)?.[1]?.toUpperCase()
}

/** Where a packed `.dSYM` has the BCSymbolMap of an image, under the image's UUID. */
export const symbolMapIn = (uuid: string): string => `Contents/Resources/BCSymbolMaps/${uuid}.bcsymbolmap`
