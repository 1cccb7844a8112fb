import { execFile } from "node:child_process"
import { readdirSync } from "node:fs"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect } from "effect"
import { temporaryFolder } from "./LiveService.js"

const demo = repositoryFile("packages/server/dist/demo/Demo.js")

it.scopedLive("The demo runs a complete conversation and deletes its files", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const { stdout } = yield* Effect.promise(() =>
      promisify(execFile)(process.execPath, [demo], { env: { PATH: process.env.PATH ?? "", TMPDIR: folder } })
    )
    for (const line of [
      /message\.delivered/,
      /the same message/,
      /mails that arrived: 1\n/,
      / {3}250 /,
      /← {2}ada@example\.com +Thank you! Will it be here before Friday\?\n/,
      /conversation .* active /,
      /the last one is delivered; messages in the thread: 3\n/,
      /temporary files are deleted/
    ]) {
      assert.match(stdout, line)
    }
    assert.deepStrictEqual(readdirSync(folder), [])
  })
)
