import type { UploadEvent } from '../../model/event.ts'

/** A zipped `.dSYM`. Stack frames refer to a dSYM by its UUID, so the event needs neither a service nor a version. */
export interface IosSymbolsEvent extends UploadEvent {
  type: 'ios_symbols'
  /** UUIDs in upper case with dashes, separated by commas. */
  uuids: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    ios_symbols: IosSymbolsEvent
  }
}
