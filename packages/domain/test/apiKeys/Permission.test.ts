import {
  covers,
  GrantablePermissions,
  installationPart,
  operatorPermissions,
  type Permission,
  type Permissions,
  permits,
  RoleName,
  resourceActions,
  rolePermissions,
  uncovered
} from "@switchboard/domain/apiKeys/Permission"
import { Either, FastCheck, ParseResult, Schema } from "effect"
import { assert, describe, it } from "vitest"

const resources = Object.keys(resourceActions)
const allPermissions = Object.entries(resourceActions).flatMap(([resource, actions]) =>
  actions.map((action) => `${resource}.${action}` as Permission)
)

/** An arbitrary permission map, with wildcards. */
const granted: FastCheck.Arbitrary<Permissions> = FastCheck.dictionary(
  FastCheck.constantFrom("*", ...resources),
  FastCheck.subarray(["*", "read", "write", "send", "delete"])
)

const cases = { numRuns: 1_000 }

describe("The permissions that a key can grant", () => {
  it("never exceed its own and include all of its own", () => {
    FastCheck.assert(
      FastCheck.property(granted, granted, (granter, requested) => {
        if (covers(granter, requested)) {
          for (const permission of allPermissions) {
            if (permits(requested, permission)) assert.isTrue(permits(granter, permission), permission)
          }
        }
      }),
      cases
    )
    FastCheck.assert(FastCheck.property(granted, (own) => covers(own, own)))
    FastCheck.assert(FastCheck.property(granted, (own) => covers(rolePermissions.admin, own)))
  })

  it("are transitive and consistent with single permissions", () => {
    FastCheck.assert(
      FastCheck.property(granted, granted, granted, (first, second, third) =>
        covers(first, second) && covers(second, third) ? covers(first, third) : true
      ),
      cases
    )
    FastCheck.assert(
      FastCheck.property(granted, FastCheck.constantFrom(...allPermissions), (own, permission) => {
        const [resource = "", action = ""] = permission.split(".")
        assert.strictEqual(covers(own, { [resource]: [action] }), permits(own, permission))
      }),
      cases
    )
  })

  it("are reported exactly as far as they exceed its own", () => {
    FastCheck.assert(
      FastCheck.property(granted, granted, (granter, requested) => {
        assert.strictEqual(uncovered(granter, requested).length === 0, covers(granter, requested))
      })
    )
    assert.deepStrictEqual(uncovered({ messages: ["read"] }, { messages: ["read", "send"], "*": ["read"] }), [
      "messages.send",
      "*.read"
    ])
  })

  it.each<[string, Permissions, Permissions, boolean]>([
    ["a wildcard of a resource covers its actions", { messages: ["*"] }, { messages: ["send", "delete"] }, true],
    ["a wildcard of a resource covers itself", { messages: ["*"] }, { messages: ["*"] }, true],
    [
      "all current actions do not cover the wildcard",
      { messages: ["read", "send", "delete"] },
      { messages: ["*"] },
      false
    ],
    ["an action on every resource covers it on one resource", { "*": ["read"] }, rolePermissions.viewer, true],
    [
      "the action on all current resources does not cover it on every resource",
      rolePermissions.viewer,
      { "*": ["read"] },
      false
    ],
    ["a wildcard of a resource does not cover another resource", { messages: ["*"] }, { email: ["read"] }, false],
    [
      "actions of the wildcard and of the resource are combined",
      { "*": ["read"], email: ["write"] },
      { email: ["read", "write"] },
      true
    ],
    ["inherited properties of the map grant nothing", {}, { constructor: ["read"] }, false],
    ["an empty map covers an empty map", {}, {}, true]
  ])("%s", (_, granter, requested, expected) => {
    assert.strictEqual(covers(granter, requested), expected)
  })

  it("allow each role to grant only itself or less", () => {
    assert.deepStrictEqual(
      RoleName.literals.filter((role) => covers(rolePermissions.viewer, rolePermissions[role])),
      ["viewer"]
    )
    assert.deepStrictEqual(
      RoleName.literals.filter((role) => covers(rolePermissions.sender, rolePermissions[role])),
      ["sender"]
    )
  })
})

const problems = (permissions: unknown) =>
  Either.match(ParseResult.decodeUnknownEither(GrantablePermissions, { errors: "all" })(permissions), {
    onLeft: (issue) =>
      ParseResult.ArrayFormatter.formatIssueSync(issue).map(({ message, path }) => `${path.join(".")} ${message}`),
    onRight: () => []
  })

describe("The permissions of a request", () => {
  it("accept all resources and actions", () => {
    for (const permissions of [...Object.values(rolePermissions), { messages: ["*"] }, { "*": ["read"] }, {}]) {
      assert.isEmpty(problems(permissions))
    }
    for (const permission of allPermissions) {
      const [resource = "", action = ""] = permission.split(".")
      assert.isEmpty(problems({ [resource]: [action] }))
    }
    assert.isTrue(Schema.is(GrantablePermissions)({ "*": ["*"] }))
  })

  it("reject unknown and duplicate resources and actions", () => {
    assert.deepStrictEqual(
      problems({ messages: ["read", "write"], mesages: ["read"], analytics: ["read", "read"], "*": ["fly"] }),
      [
        "messages has no action write: only read, send, delete or *",
        `mesages is not a resource: only ${resources.join(", ")} or *`,
        "analytics must name each action once",
        "* has no action fly: only read, send, delete, write or *"
      ]
    )
    assert.deepStrictEqual(problems({ constructor: ["read"] }), [
      `constructor is not a resource: only ${resources.join(", ")} or *`
    ])
  })
})

describe("The permissions on the installation", () => {
  it("are included only by name", () => {
    for (const permissions of [...Object.values(rolePermissions), { "*": ["*"] }, { "*": ["read"] }]) {
      assert.isFalse(permits(permissions, "system.read"))
      assert.isFalse(covers(permissions, { system: ["read"] }))
      assert.isTrue(covers(operatorPermissions, permissions))
      assert.deepStrictEqual(installationPart(permissions), {})
    }
    assert.isTrue(permits(operatorPermissions, "system.read"))
    assert.deepStrictEqual(installationPart(operatorPermissions), { system: ["read"] })
  })
})
