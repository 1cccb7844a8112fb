import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"

/** How many rows are rendered above and below those in sight. */
const overscan = 12

/** The custom property with the height of a row in pixels; it differs between wide and narrow pages. */
const heightOf = (list: Element): number => Number.parseFloat(getComputedStyle(list).getPropertyValue("--row-height"))

/** The rows of a list that are in sight when the page is scrolled. All rows have one height. */
export const useVisibleRows = (count: number) => {
  const list = useRef<HTMLUListElement>(null)
  const [{ first, last, rowHeight }, setVisible] = useState({ first: 0, last: 2 * overscan, rowHeight: 0 })

  const measure = () => {
    if (list.current === null) return
    const height = heightOf(list.current)
    const above = -list.current.getBoundingClientRect().top / height
    const next = {
      first: Math.max(0, Math.min(count, Math.floor(above)) - overscan),
      last: Math.min(count, Math.max(0, Math.ceil(above + innerHeight / height)) + overscan),
      rowHeight: height
    }
    setVisible((current) =>
      current.first === next.first && current.last === next.last && current.rowHeight === next.rowHeight
        ? current
        : next
    )
  }

  useLayoutEffect(measure, [count])
  useEffect(() => {
    addEventListener("scroll", measure, { passive: true })
    addEventListener("resize", measure)
    return () => {
      removeEventListener("scroll", measure)
      removeEventListener("resize", measure)
    }
  })
  return { list, first, last, rowHeight }
}
