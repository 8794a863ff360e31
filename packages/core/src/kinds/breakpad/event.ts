import type { UploadEvent } from '../../model/event.ts'

/** A Breakpad symbol file of an Electron application. */
export interface ElectronSymbolEvent extends UploadEvent {
  type: 'electron_symbol_file'
  service: string
  version: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    electron_symbol_file: ElectronSymbolEvent
  }
}
