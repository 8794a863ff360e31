/** Why a map is unusable, as the end of a sentence. */
export class MapError extends Error {}
