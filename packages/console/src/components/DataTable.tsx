import type { ComponentChildren } from "preact"

interface ScrollRegionProps {
  /** The name of the region for screen readers. */
  readonly label: string
  /** The class that makes it scroll. */
  readonly class: string
  readonly children: ComponentChildren
}

/** A region that scrolls its content, also by keyboard. */
export const ScrollRegion = ({ children, class: className, label }: ScrollRegionProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region needs the focus to scroll by keyboard.
  <section class={className} aria-label={label} tabIndex={0}>
    {children}
  </section>
)

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
