import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, it } from "@effect/vitest"
import { readConsoleFiles } from "@switchboard/api/console/ConsoleFiles"
import { Effect } from "effect"
import { inject } from "vitest"

it.effect("reads the files of the console, with the base path of the service in its page", () =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(inject("runFolder"), "console-"))
    mkdirSync(join(folder, "assets"))
    writeFileSync(join(folder, "index.html"), `<script src="./assets/index-1.js"></script><link href="./icon.svg" />`)
    writeFileSync(join(folder, "assets", "index-1.js"), `import("./View-1.js")`)
    writeFileSync(join(folder, "manifest.json"), "{}")
    const files = yield* readConsoleFiles(folder, "/base")
    assert.sameMembers([...files.keys()], ["index.html", "assets/index-1.js"])
    assert.strictEqual(
      files.get("index.html")?.text,
      `<script src="/base/console/assets/index-1.js"></script><link href="/base/console/icon.svg" />`
    )
    assert.strictEqual(files.get("assets/index-1.js")?.text, `import("./View-1.js")`)
  }).pipe(Effect.provide(NodeFileSystem.layer))
)
