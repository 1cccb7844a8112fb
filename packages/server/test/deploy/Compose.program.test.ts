import { existsSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { variablesOf } from "@switchboard/server/settings/Setting"
import { settingDocs } from "@switchboard/server/settings/Settings"
import { Schema } from "effect"
import { documentOf } from "./Manifest.js"

const strings = Schema.Array(Schema.String)

const keyed = <A, I>(value: Schema.Schema<A, I>) => Schema.Record({ key: Schema.String, value })

/** The parts of the file that refer to each other or to the program. Not the complete schema. */
const Compose = Schema.Struct({
  services: keyed(
    Schema.Struct({
      image: Schema.String,
      command: Schema.optional(Schema.String),
      depends_on: Schema.optionalWith(keyed(Schema.Unknown), { default: () => ({}) }),
      environment: Schema.optionalWith(keyed(Schema.String), { default: () => ({}) }),
      secrets: Schema.optionalWith(strings, { default: () => [] }),
      volumes: Schema.optionalWith(strings, { default: () => [] })
    })
  ),
  secrets: keyed(Schema.Struct({ file: Schema.String })),
  volumes: keyed(Schema.Unknown)
})

const { secrets, services, volumes } = documentOf("compose.yaml", Compose)

describe("compose.yaml", () => {
  it("runs api and worker with settings that exist and secrets that they receive", () => {
    const own = Object.values(services).filter(({ image }) => image.startsWith("switchboard:"))
    assert.sameMembers(
      own.map(({ command }) => command),
      ["api", "worker", "api"]
    )
    for (const service of own) {
      assert.includeMembers(settingDocs.flatMap(variablesOf), Object.keys(service.environment))
      for (const [name, value] of Object.entries(service.environment)) {
        if (name.endsWith("_FILE")) assert.include(service.secrets, value.slice("/run/secrets/".length))
      }
    }
  })

  it("refers to services, secrets, volumes and files that exist", () => {
    for (const service of Object.values(services)) {
      assert.includeMembers(Object.keys(services), Object.keys(service.depends_on))
      assert.includeMembers(Object.keys(secrets), [...service.secrets])
      for (const volume of service.volumes) {
        const [source = ""] = volume.split(":")
        if (source.startsWith(".")) assert.isTrue(existsSync(repositoryFile(source)), source)
        else assert.include(Object.keys(volumes), source)
      }
    }
  })
})
