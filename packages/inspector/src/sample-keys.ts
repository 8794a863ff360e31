import { useAnswer } from './api.ts'

export interface Keys {
  api: string
  app: string
}

/** Keys for commands to copy: those of the default seed, which are public, else variables of the shell. */
export function useKeys(): Keys {
  const { data } = useAnswer('keys', {})
  return { api: data?.api ?? '$SYMUP_API_KEY', app: data?.app ?? '$SYMUP_APP_KEY' }
}
