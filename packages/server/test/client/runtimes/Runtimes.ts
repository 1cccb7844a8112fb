import { existsSync } from "node:fs"
import { skipReason } from "@switchboard/domain/testing/Programs"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"

/** A runtime of JavaScript: its program, and the arguments before the file to run. */
export interface Runtime {
  readonly name: string
  readonly program: string
  readonly args: ReadonlyArray<string>
}

const folder = "packages/server/test/client/runtimes"

const { arch, platform } = process

const installed = (path: string) => repositoryFile(`${folder}/node_modules/${path}`)

const node = (major: number): Runtime => ({
  name: `Node.js ${major}`,
  program: process.versions.node.startsWith(`${major}.`)
    ? process.execPath
    : installed(`node${major}-${platform}-${arch}/bin/node`),
  args: []
})

/** The runtimes that the client supports besides browsers. */
export const runtimes: ReadonlyArray<Runtime> = [
  node(20),
  node(22),
  node(24),
  {
    name: "Bun",
    program: installed(`@oven/bun-${platform}-${arch === "arm64" ? "aarch64" : arch}/bin/bun`),
    args: ["run"]
  },
  {
    name: "Deno",
    program: installed(`@deno/${platform}-${arch}${platform === "linux" ? "-glibc" : ""}/deno`),
    args: ["run", "--allow-env", "--allow-net", "--allow-read"]
  }
]

/** Why tests in a runtime are skipped; empty if they run. */
export const notInstalled = ({ name, program }: Runtime): string =>
  skipReason(existsSync(program), name, `npm ci --ignore-scripts --prefix ${folder}`)
