import { readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { variablesOf } from "@switchboard/server/settings/Setting"
import { settingDocs } from "@switchboard/server/settings/Settings"
import { assertConsistent, manifests, resources } from "./Manifest.js"

describe("The Kubernetes manifests", () => {
  it("are all listed in the kustomization", () => {
    const files = readdirSync(repositoryFile("packages/server/deploy/kubernetes"))
    assert.sameMembers(["kustomization.yaml", ...resources], files)
  })

  it("run api and worker with settings that exist, and fit together", () => {
    assertConsistent(manifests, settingDocs.flatMap(variablesOf))
  })
})
