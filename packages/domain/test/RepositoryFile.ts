import { resolve } from "node:path"

/** The absolute path of a file, from its path in the repository. */
export const repositoryFile = (path: string) => resolve(import.meta.dirname, "../../..", path)
