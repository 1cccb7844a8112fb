/** A fraction as percent: `99.5 %`. */
export const percent = (fraction: number): string => `${(fraction * 100).toFixed(1).replace(/\.0$/, "")} %`
