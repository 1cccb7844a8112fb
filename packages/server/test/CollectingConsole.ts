import { format } from "node:util"
import { Console, Effect } from "effect"

/** A console that collects its lines: errors and warnings as standard error, all others as standard output. */
export const collectingConsole = () => {
  const [stdout, stderr]: [Array<string>, Array<string>] = [[], []]
  const printTo =
    (lines: Array<string>) =>
    (...values: ReadonlyArray<unknown>) =>
      void lines.push(format(...values))
  const [print, printError] = [printTo(stdout), printTo(stderr)]
  const lazily =
    (to: typeof print) =>
    (...values: ReadonlyArray<unknown>) =>
      Effect.sync(() => to(...values))
  const console: Console.Console = {
    ...Effect.runSync(Console.consoleWith(Effect.succeed)),
    unsafe: { ...globalThis.console, log: print, info: print, debug: print, error: printError, warn: printError },
    log: lazily(print),
    info: lazily(print),
    debug: lazily(print),
    error: lazily(printError),
    warn: lazily(printError)
  }
  const textOf = (lines: ReadonlyArray<string>) => lines.map((line) => `${line}\n`).join("")
  return { console, output: () => ({ stdout: textOf(stdout), stderr: textOf(stderr) }) }
}
