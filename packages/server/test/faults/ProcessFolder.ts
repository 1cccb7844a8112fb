import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const folders: Array<string> = []

/** Removes what `processFolder` made. A test runner ends its processes without their exit event. */
export const removeProcessFolders = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

process.once("exit", removeProcessFolders)

/** A folder that all scenarios of this process share. */
export const processFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `switchboard-${name}-`))
  folders.push(folder)
  return folder
}
