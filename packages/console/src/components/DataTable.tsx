import type { ComponentChildren } from "preact"
import { ScrollRegion } from "./ScrollRegion.js"

interface DataTableProps {
  readonly caption: string
  readonly columns: ReadonlyArray<string>
  /** The cells of each row. The first cell is its heading. */
  readonly rows: ReadonlyArray<ReadonlyArray<ComponentChildren>>
}

/** A table of values. It scrolls sideways where the page is narrow. */
export const DataTable = ({ caption, columns, rows }: DataTableProps) => (
  <ScrollRegion class="table-scroll" label={caption}>
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
  </ScrollRegion>
)
