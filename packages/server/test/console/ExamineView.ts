import axe from "axe-core"
import { overflows, viewShown } from "./ConsolePage.js"
import type { Page } from "./LogIn.js"

/** Loads axe into the page, until the page is loaded again. */
export const loadAxe = (page: Page) => page.evaluate(axe.source)

/** The pages that each view is examined as. Colours depend on the scheme alone; the other rules on the layout. */
const pages = [
  { name: "light", width: 1280, scheme: "light", rules: "all" },
  { name: "dark", width: 1280, scheme: "dark", rules: "colours" },
  { name: "phone", width: 390, scheme: "light", rules: "all" }
] as const

/** The serious and critical violations of a part of the page. */
export const violationsOf = async (page: Page, name: string, part: string, rules: "all" | "colours" = "all") => {
  const options: axe.RunOptions = {
    resultTypes: ["violations"],
    iframes: false,
    ...(rules === "all" ? {} : { runOnly: ["color-contrast"] })
  }
  const found: axe.AxeResults = await page.evaluate(`axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)})`)
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ help, id, nodes }) => nodes.map(({ html }) => `${name}: ${id} (${help}) ${html.slice(0, 160)}`))
}

/** The violations of the view that is shown, in light, dark and narrow pages. */
export const examineView = async (page: Page, path: string) => {
  const found: Array<string> = []
  for (const { name, rules, scheme, width } of pages) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: 844 })
    await viewShown(page)
    found.push(...(await violationsOf(page, `${path} ${name}`, "body", rules)))
    found.push(...(await overflows(page)).map((overflow) => `${path} ${name}: ${overflow}`))
  }
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize({ width: 1280, height: 844 })
  return found
}
