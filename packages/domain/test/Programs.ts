import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The path of the first of these programs on the PATH; undefined if there is none. */
export const findProgram = (...names: ReadonlyArray<string>): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable)

/**
 * Why the tests of a program are skipped, for the end of their title; empty if they run. In CI, where `.ci/run` installs
 * every program, a missing one is an error.
 */
export const skipReason = (isInstalled: boolean, name: string, install: string): string => {
  if (isInstalled) return ""
  const reason = `${name} is not installed: ${install}`
  if (process.env.CI !== undefined) throw new Error(reason)
  return ` (skipped: ${reason})`
}

/** The same for a program on the PATH. */
export const skipWithout = (program: string, debianPackage = program): string =>
  skipReason(findProgram(program) !== undefined, program, `apt-get install ${debianPackage}`)
