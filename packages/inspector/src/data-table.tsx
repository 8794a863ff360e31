import type { ComponentChildren, JSX } from 'preact'

interface Column<T> {
  title: string
  /** Numbers are right-aligned, with tabular figures. */
  isNumber?: boolean
  cell(row: T): ComponentChildren
}

interface DataTableProps<T> {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf(row: T): string
}

/** On phones, each row is shown as a small list. */
export function DataTable<T>({ label, columns, rows, keyOf }: DataTableProps<T>): JSX.Element {
  return (
    <section class="scroll" tabIndex={0} aria-label={label}>
      <table class="stacking">
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={isNumber ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, isNumber, cell }) => (
                <td key={title} class={isNumber ? 'number' : undefined} data-title={title}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface TableSectionProps<T> extends Omit<DataTableProps<T>, 'label'> {
  title: string
  empty: string
  children?: ComponentChildren
}

export function TableSection<T>({ title, empty, children, ...table }: TableSectionProps<T>): JSX.Element {
  return (
    <section>
      <h2>{title}</h2>
      {children}
      {table.rows.length === 0 ? <p class="nothing">{empty}</p> : <DataTable label={title} {...table} />}
    </section>
  )
}
