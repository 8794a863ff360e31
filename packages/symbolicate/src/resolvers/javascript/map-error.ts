/** Why a map cannot be used, as the end of a sentence. */
export class MapError extends Error {}
