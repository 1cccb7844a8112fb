import { existsSync } from "node:fs"
import { skipReason } from "@switchboard/domain/testing/Programs"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"

const folder = "packages/server/test/deploy/tools"

/** A file of a package that only the tests of deployment use. */
export const toolFile = (path: string) => repositoryFile(`${folder}/node_modules/${path}`)

/** Why tests with such a file are skipped; empty if they run. */
export const skipWithoutTool = (file: string, name: string) =>
  skipReason(existsSync(file), name, `npm ci --ignore-scripts --prefix ${folder}`)
