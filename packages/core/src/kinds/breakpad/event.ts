import type { UploadEvent } from '../../model/event.ts'

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
