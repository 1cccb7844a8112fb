import type { ComponentChildren } from "preact"

interface DataTableProps {
  readonly caption: string
  readonly columns: ReadonlyArray<string>
  /** The cells of each row. The first cell is its heading. */
  readonly rows: ReadonlyArray<ReadonlyArray<ComponentChildren>>
}

/** A table of values. It scrolls sideways where the page is narrow. */
export const DataTable = ({ caption, columns, rows }: DataTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a wide table.
  <section class="table-scroll" aria-label={caption} tabIndex={0}>
    <table>
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([heading, ...cells], index) => (
          <tr key={index}>
            <th scope="row">{heading}</th>
            {cells.map((cell, at) => (
              <td key={at}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
