import { createHash } from "node:crypto"

/** Milliseconds that `work` takes on an idle core of a server processor of 2024. */
const expected = 200

const work = () => {
  let text = ""
  for (let round = 0; round < 300_000; round += 1) text = createHash("sha256").update(text).digest("hex")
}

/** How many times slower than expected this machine is, at least 1: a slow processor, or other programs beside the run. */
export const measureMachine = (): number => {
  const begin = performance.now()
  work()
  return Math.max(1, (performance.now() - begin) / expected)
}
