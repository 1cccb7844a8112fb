import { Label } from "./Label.js"

/** Mail of this category is sent separately to each recipient, with an unsubscribe link. */
export const marketing = "marketing"

/** Mail that a recipient's action requires, like a password reset. */
export const transactional = "transactional"

/** One category of a message, as sends name it. Categories are compared exactly. */
export const Category = Label.annotations({
  description: "a category of messages",
  examples: [marketing]
})

/** Marketing mail must stop when its recipient unsubscribes, transactional mail must not: no message is both. */
export const excludesTransactional = (categories: ReadonlyArray<string>): string | undefined =>
  categories.includes(marketing) && categories.includes(transactional)
    ? `must not have both ${marketing} and ${transactional}`
    : undefined
