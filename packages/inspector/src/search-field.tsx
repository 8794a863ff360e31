import type { JSX } from 'preact'
import { t } from './words.ts'

export function SearchField({ value, onSearch }: { value: string; onSearch(text: string): void }): JSX.Element {
  return (
    <label class="wide">
      <span class="hidden">{t('search')}</span>
      <input
        type="search"
        placeholder={t('searchHint')}
        value={value}
        onInput={(event) => onSearch(event.currentTarget.value)}
      />
    </label>
  )
}
