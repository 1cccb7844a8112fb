const folder = "/console/"

/** The path before `/console/`: empty, or the base path of the service. */
export const basePath = (): string => location.pathname.slice(0, location.pathname.indexOf(folder))

/** The path of the console, with a slash at its end. */
export const consoleRoot = (): string => `${basePath()}${folder}`

/** The URL of a path within the console. Empty query parameters are left out. */
export const urlOf = (path: string, query: Readonly<Record<string, string | undefined>> = {}): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? "") !== "")
  const search = new URLSearchParams(given).toString()
  return `${consoleRoot()}${path.slice(1)}${search === "" ? "" : `?${search}`}`
}
