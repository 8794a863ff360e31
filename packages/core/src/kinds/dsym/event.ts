import type { UploadEvent } from '../../model/event.ts'

/** A zipped `.dSYM`. Stacks find it by UUID, so it has neither service nor version. */
export interface IosSymbolsEvent extends UploadEvent {
  type: 'ios_symbols'
  /** Upper case with dashes, comma-separated. */
  uuids: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    ios_symbols: IosSymbolsEvent
  }
}
