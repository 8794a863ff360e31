import type { Release } from '../../release.ts'

/** How the resolver asks for the source maps of mini programs. */
export interface MiniProgramSource {
  /** The maps of these names in the archives of a release, whatever the appid. */
  findMaps(release: Release, entries: readonly string[]): Promise<MiniProgramMap[]>
  /** Names of maps of the release, at most `limit`. Used only to explain a miss. */
  entriesOf(release: Release, limit: number): Promise<string[]>
  /** Releases, of a service where one is given, that have an archive, newest first, at most `limit`. Used only to explain a miss. */
  releases(limit: number, service?: string): Promise<Release[]>
}

export interface MiniProgramMap {
  /** Name in the archive, such as `packageA/app-service.js.map`. */
  entry: string
  /** Root of the sub-package; '' for the main package. */
  subPackage: string
  /** '' when the archive was uploaded without one. */
  appid: string
  /** Equal for equal content: parsed maps are cached under it. */
  contentKey: string
  /** Path of the archive on disk: another thread reads the map out of it itself. */
  locateArchive?(): Promise<string>
  readMap(): Promise<Uint8Array>
}
