import { Context, Effect, Layer } from "effect"
import { openPage } from "../document/Browser.js"
import { Laptop } from "./Laptop.js"
import { logIn, type Page } from "./LogIn.js"

/** A page of the console with a session of the first key, shared by the tests of a file, on a service with a mailbox. */
export class ConsolePage extends Context.Tag("test/ConsolePage")<
  ConsolePage,
  Effect.Effect.Success<typeof openPage>
>() {
  static readonly Live = Layer.scoped(
    ConsolePage,
    Effect.gen(function* () {
      const { baseUrl } = yield* Laptop
      const opened = yield* openPage
      yield* logIn(opened.page, baseUrl)
      yield* Effect.promise(() => opened.page.getByRole("heading", { name: "Messages", exact: true }).waitFor())
      return opened
    })
  ).pipe(Layer.provideMerge(Laptop.Live))
}

/** Waits until the view has a heading and nothing is loading. */
export const viewShown = (page: Page) =>
  page.locator("main:not(:has([aria-label=Loading], [aria-busy=true])) :is(h1, .empty)").first().waitFor()

/** Goes to a path of the console without loading the page. */
export const goTo = (page: Page, path: string) =>
  page.evaluate(
    `history.pushState(null, "", ${JSON.stringify(`/console${path}`)}), dispatchEvent(new PopStateEvent("popstate"))`
  )

/** Goes to a path of the console without loading the page, and waits until the view is shown. */
export const showView = async (page: Page, path: string) => {
  await goTo(page, path)
  await viewShown(page)
}

/**
 * The parts of the page that are wider than their space: the page itself, cards that do not scroll, and buttons of rows,
 * which are cut off at the left.
 */
export const overflows = (page: Page) =>
  page.evaluate<ReadonlyArray<string>>(`[document.documentElement, ...document.querySelectorAll("main .card")]
    .filter((part) => part.scrollWidth > part.clientWidth && getComputedStyle(part).overflowX === "visible")
    .map(({ className, clientWidth, localName, scrollWidth }) =>
      localName + "." + className + " needs " + scrollWidth + " of " + clientWidth + " pixels")
    .concat([...document.querySelectorAll("main .row-actions > *")]
      .filter((button) => button.getBoundingClientRect().left < button.parentElement.getBoundingClientRect().left)
      .map(({ textContent }) => "the button " + textContent + " of a row is cut off"))`)
