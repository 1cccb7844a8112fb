/** The size of the drawing area; it is stretched to the width of the page. */
export const chartWidth = 1_000
export const chartHeight = 100

/** The end of the scale: the next value of 1, 2 or 5 times a power of ten. */
export const scaleEnd = (max: number): number => {
  if (max <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(max))
  return ([1, 2, 5, 10].find((step) => step * power >= max) ?? 10) * power
}

/** The path of a line with a step for each value, and of the area below it. */
export const stepPaths = (values: ReadonlyArray<number>, end: number) => {
  const width = chartWidth / Math.max(1, values.length)
  const steps = values.map((value, at) => {
    const y = (chartHeight * (1 - value / end)).toFixed(2)
    return `${at === 0 ? `M0 ${y}` : `V${y}`}H${(width * (at + 1)).toFixed(2)}`
  })
  const line = steps.join("")
  return { line, area: `${line}V${chartHeight}H0Z` }
}
