/** A duration as text: `250 ms`, `2.5 s`, `3 min`, `2.5 h`, `4.0 d`. */
export const durationText = (seconds: number): string => {
  if (seconds > 0 && seconds < 1) return `${Math.round(seconds * 1_000)} ms`
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${(seconds / 3_600).toFixed(1)} h` : `${(seconds / 86_400).toFixed(1)} d`
}
