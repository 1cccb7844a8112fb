import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { Effect } from "effect"
import { chromium } from "playwright-core"

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const executable = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((folder) => ["chromium", "chromium-browser", "google-chrome"].map((name) => join(folder, name)))
  .find(isExecutable)

/** Why no browser can be started; null if it can. */
export const noBrowser: string | null = executable === undefined ? "Chromium is not installed" : null

/** The sandbox requires a user other than root. The other arguments turn off requests of the browser's own. */
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** A page of a new browser, with what it requested, printed as a warning or error, and violated of its policy. */
export const openPage = Effect.gen(function* () {
  const browser = yield* Effect.acquireRelease(
    Effect.promise(() => chromium.launch({ executablePath: executable ?? "", args })),
    (open) => Effect.promise(() => open.close())
  )
  const requests: Array<string> = []
  const problems: Array<string> = []
  const violations: Array<string> = []
  const page = yield* Effect.promise(async () => {
    const opened = await browser.newPage()
    opened.setDefaultTimeout(200_000)
    opened.on("request", (request) => requests.push(request.url()))
    opened.on("websocket", (socket) => requests.push(socket.url()))
    opened.on("pageerror", (error) => problems.push(String(error)))
    opened.on("console", (line) => {
      if (line.type() === "error" || line.type() === "warning") problems.push(line.text())
    })
    await opened.exposeFunction("recordViolation", (violation: string) => violations.push(violation))
    await opened.addInitScript(`document.addEventListener("securitypolicyviolation", (violation) =>
      recordViolation(violation.effectiveDirective + " " + violation.blockedURI))`)
    return opened
  })
  return { page, requests, problems, violations } as const
})
