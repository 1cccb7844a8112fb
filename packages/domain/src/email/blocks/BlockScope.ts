import { marketing, transactional } from "../../messages/Categories.js"

/** The scope of a block on all mail. Every other scope is the name of a category, which is never empty. */
export const allMail = ""

/**
 * The scopes of the blocks that apply to a message with these categories. This is the only rule of what a block
 * applies to: a block applies if its scope is one of these.
 */
export const scopesOf = (categories: ReadonlyArray<string>): ReadonlyArray<string> => [allMail, ...categories]

/** The scope of a block. */
export const scopeOf = ({ category = allMail }: { readonly category?: string | undefined }): string => category

/**
 * The categories that a recipient of a message unsubscribes from: all of the message's except `transactional`, because
 * the recipient can't tell them apart and needs transactional mail to use an account. `marketing` if there is no other.
 */
export const unsubscribedCategories = (categories: ReadonlyArray<string>): ReadonlyArray<string> => {
  const others = new Set(categories.filter((category) => category !== transactional))
  return others.size === 0 ? [marketing] : [...others]
}
