import { findProgram, skipReason } from "@switchboard/domain/testing/Programs"
import { Effect } from "effect"
import { chromium } from "playwright-core"
import { describe, inject } from "vitest"

const executable = findProgram("chromium", "chromium-browser", "google-chrome")

/** Why tests in a browser are skipped; empty if they run. */
export const noBrowser = skipReason(executable !== undefined, "Chromium", "apt-get install chromium")

/** Tests in a browser. */
export const describeInBrowser = (title: string, tests: () => void) =>
  describe.skipIf(noBrowser !== "")(`${title}${noBrowser}`, tests)

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
    // For what hangs: less than the timeout of a test.
    opened.setDefaultTimeout(100_000 * inject("machineFactor"))
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
