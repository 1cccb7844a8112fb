import { serviceUrl } from "../../app/Client.js"

/** The path of signed links to files. */
const objectsPath = "/v1/objects/"

/**
 * The URL of a file in the origin of the page: a signed link has the public URL of the service, which can differ from
 * the one that the page was opened with.
 */
export const objectUrl = (link: string): string => {
  const { pathname, search } = new URL(link)
  return `${serviceUrl}${pathname.slice(pathname.indexOf(objectsPath))}${search}`
}
