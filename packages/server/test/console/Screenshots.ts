import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { showView } from "./ConsolePage.js"
import type { Page } from "./LogIn.js"

/** Whether the screenshots of the guide are written again. */
const isWanted = process.env.CONSOLE_SCREENSHOTS === "1"

const wide = { width: 1280, height: 844 }
const narrow = { width: 390, height: 720 }

/** Writes the screenshots of `docs/console.md`, if the variable `CONSOLE_SCREENSHOTS` is 1. */
export const takeScreenshots = async (page: Page, messageId: string) => {
  if (!isWanted) return
  const take = async (name: string, scheme: "light" | "dark", size: typeof wide) => {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize(size)
    await page.screenshot({ path: repositoryFile(`docs/console/${name}.png`) })
  }
  await showView(page, "/messages")
  await take("messages", "light", wide)
  await take("messages-dark", "dark", wide)
  await showView(page, `/messages/${messageId}`)
  await page.frameLocator(".mail-frame").getByText("Follow the parcel").waitFor()
  await take("message", "light", wide)
  await take("phone", "light", narrow)
  await page.setViewportSize(wide)
  await showView(page, "/threads")
  await page.getByRole("list", { name: "Threads" }).getByRole("link").first().click()
  await page.getByRole("list", { name: "Exchange" }).waitFor()
  await take("thread-dark", "dark", wide)
}
