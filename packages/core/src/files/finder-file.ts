/**
 * Whether macOS Finder added the file to an archive or foreign disk: a resource fork, or a folder's display settings.
 */
export const isFinderFile = (file: string): boolean => /(?:^|\/)(?:__MACOSX(?:\/|$)|\._|\.DS_Store$)/.test(file)
