import { organizationId } from "../../app/SessionState.js"
import { type Content, emptyContent } from "./Content.js"

/** The contents with their files, which the storage of the tab cannot have. */
const withFiles = new Map<string, Content>()

const keyOf = () => `send ${organizationId()}`

/** Stores what the form has until the tab is closed or the session is logged out. */
export const storeContent = (content: Content): void => {
  withFiles.set(keyOf(), content)
  const files = content.files.map(({ name, size }) => ({ name, size }))
  try {
    sessionStorage.setItem(keyOf(), JSON.stringify({ ...content, files }))
  } catch {
    // The quota of the storage is exceeded: the content is lost when the page is loaded again.
    sessionStorage.setItem(keyOf(), "{}")
  }
}

/** What the form had when it was last shown. */
export const storedContent = (): Content => {
  const stored = sessionStorage.getItem(keyOf())
  if (stored === null) return emptyContent
  const content: Partial<Content> = JSON.parse(stored)
  return withFiles.get(keyOf()) ?? { ...emptyContent, ...content }
}
