import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { Effect } from "effect"
import { caller, LiveService, temporaryFolder } from "../LiveService.js"
import { failingCommand, outputOf, runCommand } from "../TestCommand.js"

/** Writes files by their paths in a folder. */
const write = (folder: string, files: Readonly<Record<string, string | Uint8Array>>) => {
  for (const [file, content] of Object.entries(files)) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}

const welcome = {
  "welcome/subject.txt": "Welcome, {{name}}\n",
  "welcome/html.html": "<p>Hello {{name}}</p>\n<p>Bye</p>\n",
  "welcome/text.txt": "Hello {{name}}\n",
  "welcome/data.json": '{ "name": "Ada" }'
}

/** An organization of its own, a folder with a template, and the commands with its key. */
const fixture = Effect.gen(function* () {
  const { baseUrl, call, key } = yield* LiveService
  const folder = yield* temporaryFolder
  write(folder, welcome)
  // The tests of this file share an organization.
  for (const { id } of (yield* call("GET", "/v1/email/templates?limit=100")).body.items) {
    yield* call("DELETE", `/v1/email/templates/${id}`)
  }
  const environment = { SWITCHBOARD_URL: baseUrl, SWITCHBOARD_API_KEY: key }
  const args = (command: string, more: ReadonlyArray<string>) => ["templates", command, folder, ...more]
  const stored = (name: string) =>
    Effect.map(
      call("GET", `/v1/email/templates?filters=${JSON.stringify({ search: name })}`),
      ({ body }) => body.items[0]
    )
  return {
    folder,
    call,
    stored,
    run: (command: string, ...more: ReadonlyArray<string>) =>
      Effect.map(runCommand(args(command, more), environment), ({ stdout }) => stdout),
    output: (command: string, ...more: ReadonlyArray<string>) => outputOf(args(command, more), environment),
    failing: (command: string, ...more: ReadonlyArray<string>) => failingCommand(args(command, more), environment)
  }
})

layer(LiveService.Shared, { excludeTestServices: true })("switchboard templates", (it) => {
  it.scoped("push creates and updates what differs, and makes a version only of a change", () =>
    Effect.gen(function* () {
      const { folder, run, stored } = yield* fixture
      assert.strictEqual(yield* run("push"), "created    welcome  version 1\n")
      const created = yield* stored("welcome")
      assert.deepInclude(created, {
        subject: "Welcome, {{name}}",
        html: "<p>Hello {{name}}</p>\n<p>Bye</p>\n",
        text: "Hello {{name}}\n",
        channel: "email",
        version: 1
      })
      assert.strictEqual(yield* run("push"), "unchanged  welcome\n")
      // Line ends, a byte order mark and the form of JSON are no changes.
      write(folder, {
        "welcome/html.html": "\u{feff}<p>Hello {{name}}</p>\r\n<p>Bye</p>\r\n",
        "welcome/subject.txt": "Welcome, {{name}}",
        "welcome/template.json": '{"variables":[],"channel":"email","name":"welcome"}'
      })
      assert.strictEqual(yield* run("push"), "unchanged  welcome\n")
      assert.strictEqual((yield* stored("welcome")).version, 1)
      write(folder, {
        "welcome/template.json": '{ "variables": [{ "name": "name", "fallback": "there" }] }',
        "code/text.txt": "Your code: {{code}}",
        "code/template.json": '{ "channel": "sms", "name": "Sign-in code" }',
        "README.md": "not read",
        ".git/config": "not read",
        "welcome/source.mjml": "not read"
      })
      rmSync(join(folder, "welcome/text.txt"))
      assert.strictEqual(yield* run("push"), "created    Sign-in code  version 1\nupdated    welcome  version 2\n")
      const updated = yield* stored("welcome")
      assert.notProperty(updated, "text")
      assert.strictEqual(updated.id, created.id)
      assert.deepStrictEqual(updated.variables, [{ name: "name", required: false, fallback: "there" }])
      assert.deepInclude(yield* stored("Sign-in code"), { channel: "sms", text: "Your code: {{code}}" })
      assert.strictEqual(yield* run("push"), "unchanged  Sign-in code\nunchanged  welcome\n")
    })
  )

  it.scoped("diff prints what a push would change, and fails until there is no difference", () =>
    Effect.gen(function* () {
      const { call, failing, folder, output, run } = yield* fixture
      const created = yield* output("diff")
      assert.include(
        created,
        `--- /dev/null\n+++ ${folder}/welcome/html.html\n@@ -0,0 +1,2 @@\n+<p>Hello {{name}}</p>\n`
      )
      assert.match(yield* failing("diff"), /^switchboard: 1 template differs: run "switchboard templates push /)
      assert.deepStrictEqual((yield* call("GET", "/v1/email/templates")).body.items, [])
      yield* run("push")
      assert.strictEqual(yield* run("diff"), "")
      write(folder, {
        "welcome/html.html": "<p>Hello {{name}}</p>\n<p>See you</p>\n",
        "welcome/template.json": '{ "variables": [{ "name": "name", "fallback": "there" }] }'
      })
      rmSync(join(folder, "welcome/text.txt"))
      assert.strictEqual(
        yield* output("diff"),
        `--- service/welcome/html.html
+++ ${folder}/welcome/html.html
@@ -1,2 +1,2 @@
 <p>Hello {{name}}</p>
-<p>Bye</p>
+<p>See you</p>
--- /dev/null
+++ ${folder}/welcome/template.json
@@ -0,0 +1,8 @@
+{
+  "variables": [
+    {
+      "name": "name",
+      "fallback": "there"
+    }
+  ]
+}
--- service/welcome/text.txt
+++ /dev/null
@@ -1,1 +0,0 @@
-Hello {{name}}
`
      )
    })
  )

  it.scoped("leave other templates of the service, and delete them with --delete", () =>
    Effect.gen(function* () {
      const { call, failing, output, run } = yield* fixture
      yield* run("push")
      yield* call("POST", "/v1/email/templates", { name: "old\u001b[2J", subject: "Old", html: "<p>Old</p>" })
      assert.strictEqual(yield* run("push"), "unchanged  welcome\nkept       old\u{fffd}[2J  not in the folder\n")
      assert.strictEqual(yield* run("diff"), "")
      assert.include(yield* output("diff", "--delete"), "+++ /dev/null\n@@ -1,1 +0,0 @@\n-Old\n")
      assert.match(yield* failing("diff", "--delete"), /1 template differs/)
      assert.strictEqual(yield* run("push", "--delete"), "unchanged  welcome\ndeleted    old\u{fffd}[2J\n")
      assert.strictEqual((yield* call("GET", "/v1/email/templates")).body.items.length, 1)
    })
  )

  it.scoped("pull writes what a push takes, under names that stay in the folder", () =>
    Effect.gen(function* () {
      const { call, folder, run } = yield* fixture
      yield* run("push")
      const create = (name: string, more: object = { subject: "Hi", html: "<p>{{x}}</p>\r\n" }) =>
        call("POST", "/v1/email/templates", { name, ...more })
      yield* create("../../escaped")
      yield* create("..")
      yield* create("Two words", { channel: "sms", text: "Hi", variables: [] })
      yield* create("two/words", { subject: "S", html: "{{x}}", variables: [{ name: "x", fallback: "y" }] })
      write(folder, {
        "welcome/html.html": "changed here",
        "local/subject.txt": "Local",
        "here/template.json": '{ "name": "../../escaped" }'
      })
      rmSync(join(folder, "welcome/subject.txt"))
      const lines = (yield* run("pull")).split("\n")
      const ids = readdirSync(folder).filter((name) => /^[\da-f-]{36}$/.test(name))
      assert.strictEqual(ids.length, 2)
      assert.sameMembers(readdirSync(folder), ["welcome", "local", "here", "Two-words", ...ids])
      assert.sameMembers(lines, [
        "written    welcome",
        "written    ../../escaped  in here",
        `written    ..  in ${ids[0]}`,
        "written    Two words  in Two-words",
        `written    two/words  in ${ids[1]}`,
        "kept       local  not on the service",
        ""
      ])
      const read = (file: string) => readFileSync(join(folder, file), "utf8")
      assert.strictEqual(read("welcome/html.html"), welcome["welcome/html.html"])
      assert.strictEqual(read("welcome/subject.txt"), welcome["welcome/subject.txt"])
      assert.strictEqual(read("welcome/data.json"), welcome["welcome/data.json"])
      assert.strictEqual(read("here/html.html"), "<p>{{x}}</p>\n")
      assert.deepStrictEqual(readdirSync(join(folder, "Two-words")).sort(), ["template.json", "text.txt"])
      assert.deepStrictEqual(JSON.parse(read("Two-words/template.json")), { name: "Two words", channel: "sms" })
      rmSync(join(folder, "local"), { recursive: true })
      assert.strictEqual(yield* run("diff"), "")
      assert.notInclude(yield* run("pull"), "written")
      rmSync(folder, { recursive: true })
      yield* run("pull")
      assert.notInclude(yield* run("push"), "updated")
    })
  )

  it.scoped("check all files before the first change, and name the file of each problem", () =>
    Effect.gen(function* () {
      const { call, failing, folder, output, run } = yield* fixture
      yield* run("push")
      yield* call("POST", "/v1/email/templates", { name: "sms", channel: "sms", text: "Hi" })
      const mail = (name: string, files: Readonly<Record<string, string | Uint8Array>>) =>
        Object.fromEntries(
          Object.entries({ "subject.txt": "Hi", "html.html": "<p>Hi</p>", ...files }).map(([file, text]) => [
            `${name}/${file}`,
            text
          ])
        )
      write(folder, {
        ...mail("bytes", { "html.html": Uint8Array.of(0xff, 0xfe) }),
        ...mail("channel", { "template.json": '{ "channel": "fax" }' }),
        ...mail("data", { "data.json": '{ "name": }' }),
        ...mail("fallback", { "template.json": '{ "variables": [{ "name": "unused", "fallback": "x" }] }' }),
        ...mail("field", { "template.json": '{ "html": "<p>" }' }),
        ...mail("lacking", { "subject.txt": "{{order.id}}", "data.json": '{ "order": 1 }' }),
        ...mail("large", { "text.txt": "x".repeat(256 * 1024 + 1) }),
        ...mail("lines", { "subject.txt": "One\nTwo\n" }),
        ...mail("list", { "data.json": "[]" }),
        ...mail("misnamed", { "text.md": "Hi" }),
        ...mail("same", { "template.json": '{ "name": "welcome" }' }),
        ...mail("together", { "html.html": "x".repeat(200 * 1024), "text.txt": "x".repeat(100 * 1024) }),
        "none/html.html": "<p>Hi</p>",
        "syntax/subject.txt": "Hi {{#name}}",
        "syntax/html.html": "<p>\n{{> header}}</p>",
        "text.txt/subject.txt": "Hi",
        "text.txt/html.html/x": "a folder"
      })
      const problems = [
        "bytes/html.html: is not UTF-8",
        "channel/template.json: channel must be one of email, sms, whatsapp",
        "channel/subject.txt: must not be given for the channel fax",
        "channel/html.html: must not be given for the channel fax",
        "channel/text.txt: is required for the channel fax",
        "data/data.json: is not JSON: …",
        "fallback/template.json: variables.0.name is not used by the template",
        "field/template.json: html is none of name, channel, variables",
        "lacking/data.json: lacks order.id, which the template requires",
        "large/text.txt: is larger than 256 KiB",
        "lines/subject.txt: must not contain line breaks",
        "list/data.json: must be a JSON object",
        'misnamed/text.md: is not read: rename it to text.txt, or to a name that does not begin with "text."',
        "none/subject.txt: is required",
        'syntax/subject.txt: has a section "name" that is not closed at line 1, column 4',
        "syntax/html.html: has a partial at line 2, column 1",
        "text.txt/html.html: is not a file",
        "together/html.html: must be at most 256 KiB together with subject, text and fallbacks",
        'welcome: is named "welcome", as same is: name one of them otherwise in template.json'
      ]
      const expected = `switchboard: Nothing was changed: correct these files first\n${problems.map((one) => `  ${one}\n`).join("")}`
      for (const command of ["push", "diff"]) {
        assert.strictEqual((yield* failing(command)).replace(/(?<=is not JSON: ).*/, "…"), expected)
        assert.strictEqual(yield* output(command), "")
      }
      const { items } = (yield* call("GET", "/v1/email/templates")).body
      assert.deepStrictEqual(
        items.map(({ name, version }: Readonly<Record<string, unknown>>) => [name, version]),
        [
          ["sms", 1],
          ["welcome", 1]
        ]
      )
      rmSync(folder, { recursive: true })
      write(folder, { ...welcome, ...mail("sms", {}), ...mail("new", {}) })
      assert.match(
        yield* failing("push"),
        /^ {2}sms\/template\.json: channel is sms on the service and can't be changed: choose another name$/m
      )
      assert.strictEqual((yield* call("GET", "/v1/email/templates")).body.items.length, 2)
    })
  )

  it.scoped("name the file of a problem that only the service finds, before the first change", () =>
    Effect.gen(function* () {
      const { folder, run } = yield* fixture
      const { baseUrl, key } = yield* LiveService
      yield* run("push")
      write(folder, {
        ...welcome,
        "welcome/subject.txt": "Changed {{name}}",
        "another/subject.txt": "New",
        "another/html.html": "<p>New</p>"
      })
      const requests: Array<string> = []
      // A newer service with another rule.
      const newer = yield* receiver((response, { path }) => {
        requests.push(path)
        const rule = {
          _tag: "ValidationError",
          message: "The template is invalid",
          fields: { html: ["has no {{footer}}"] }
        }
        Effect.runFork(
          Effect.map(caller(baseUrl, key)("GET", path), ({ body, headers, status }) =>
            path.endsWith("/render")
              ? response.writeHead(422, { "content-type": "application/json" }).end(JSON.stringify(rule))
              : response
                  .writeHead(status, { "content-type": headers.get("content-type") ?? "" })
                  .end(JSON.stringify(body))
          )
        )
      })
      assert.strictEqual(
        yield* failingCommand(["templates", "push", folder], { SWITCHBOARD_URL: newer.url, SWITCHBOARD_API_KEY: key }),
        "switchboard: Nothing was changed: correct these files first\n  welcome/html.html: has no {{footer}}\n"
      )
      assert.match(requests.join(" "), /^\/v1\/email\/templates\S* \/v1\/email\/templates\/\S+\/render$/)
    })
  )

  it.scoped("exit with an error message without a folder, key or service", () =>
    Effect.gen(function* () {
      const { folder } = yield* fixture
      const { baseUrl, call, key } = yield* LiveService
      const { body: reader } = yield* call("POST", "/v1/api-keys", {
        name: "reader",
        permissions: { templates: ["read"] }
      })
      const empty = yield* temporaryFolder
      const port = yield* freePort
      const page = yield* receiver((response) =>
        response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hi</h1>")
      )
      const redirect = yield* receiver((response) => response.writeHead(301, { location: page.url }).end())
      const refusals: ReadonlyArray<readonly [ReadonlyArray<string>, Readonly<Record<string, string>>, RegExp]> = [
        [["push", join(folder, "nope")], {}, /^There is no folder \S+nope$/],
        [["push", join(folder, "welcome/html.html")], {}, /html\.html is not a folder$/],
        [["push", empty], {}, / has no templates: each is a folder with subject\.txt$/],
        [["push", "--delete", empty], {}, / has no templates: /],
        [
          ["push", folder],
          { SWITCHBOARD_API_KEY: "" },
          /^There is no API key: set SWITCHBOARD_API_KEY to a key with templates\.read and templates\.write$/
        ],
        [["push", folder], { SWITCHBOARD_API_KEY: "a b" }, /^SWITCHBOARD_API_KEY: must be an API key, without spaces$/],
        [
          ["push", folder],
          { SWITCHBOARD_API_KEY: "sk_sm_no" },
          /^The API key is missing or invalid: set SWITCHBOARD_API_KEY to a key with templates\.read and /
        ],
        [
          ["push", folder],
          { SWITCHBOARD_API_KEY: reader.key },
          /templates\.write.*: set SWITCHBOARD_API_KEY to a key with templates\.read and /
        ],
        [
          ["pull", folder],
          { SWITCHBOARD_URL: `http://127.0.0.1:${port}` },
          /^No connection to http\S+ \(connect ECONNREFUSED \S+\): start the server there, or pass its URL with --url$/
        ],
        [
          ["pull", folder],
          { SWITCHBOARD_URL: page.url },
          /^http\S+: The response with the status 200 is not one that the API declares/
        ],
        [["pull", folder], { SWITCHBOARD_URL: redirect.url }, /^http\S+: The response with the status 301 is not one/]
      ]
      for (const [args, settings, message] of refusals) {
        const environment = { SWITCHBOARD_URL: baseUrl, SWITCHBOARD_API_KEY: key, ...settings }
        const error = yield* failingCommand(["templates", ...args], environment)
        assert.match(error.replace(/^switchboard: /, "").trimEnd(), message)
      }
      assert.deepStrictEqual(page.received.length, 1)
      assert.deepStrictEqual((yield* call("GET", "/v1/email/templates")).body.items, [])
    })
  )
})
