import { execFile } from "node:child_process"
import { readdirSync } from "node:fs"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect } from "effect"
import { temporaryFolder } from "./LiveService.js"

const demo = repositoryFile("packages/server/dist/demo/Demo.js")

it.scopedLive("The demo sends and receives on every channel and deletes its files", () =>
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
      /from (\+1555\d{7}) to \+4915123456789\n(?:.*message\..*\n)*.*message\.delivered .*\n(?:.*\n)? {3}→ {2}\1 +Your order arrives on Thursday/,
      /← {2}\+4915123456789 +9 am is fine\.\n/,
      /a text before: ValidationError, .*no service window is open/,
      /→ {2}\+1555\d{7} +template order_shipped\n {3}← {2}\+4915123456789 +Where will you leave it\?\n/,
      /→ {2}\+1555\d{7} +At the door, or at your neighbour's\?\n/,
      / whatsapp {4}active {2}\{"messageCount":3,.*\n {3}sms {9}active {2}\{"messageCount":2,.*\n {3}email {7}active {2}\{"messageCount":3,/,
      /temporary files are deleted/
    ]) {
      assert.match(stdout, line)
    }
    assert.deepStrictEqual(readdirSync(folder), [])
  })
)
