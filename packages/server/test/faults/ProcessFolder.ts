import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const folders: Array<string> = []

/** Removes the folders of `processFolder`. A test runner must call it: its processes end without the exit event. */
export const removeProcessFolders = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

process.once("exit", removeProcessFolders)

/** Creates a temporary folder that is removed when this process exits. */
export const processFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `switchboard-${name}-`))
  folders.push(folder)
  return folder
}
