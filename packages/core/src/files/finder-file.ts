/** Whether a file is one that macOS's Finder adds to archives and foreign disks: a resource fork, or a folder's display settings. */
export const isFinderFile = (file: string): boolean => /(?:^|\/)(?:__MACOSX(?:\/|$)|\._|\.DS_Store$)/.test(file)
