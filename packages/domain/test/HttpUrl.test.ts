import { urlProblem } from "@switchboard/domain/HttpUrl"
import { Option } from "effect"
import { assert, it } from "vitest"

it("names the part of a URL that is wrong", () => {
  for (const url of ["https://example.com", "HTTP://[2001:db8::1]:8080/a?b=%C3%BC#c", "http://127.0.0.1:65535/"]) {
    assert.deepStrictEqual(urlProblem(url), Option.none(), url)
  }
  for (const [url, problem] of [
    ["ftp://example.com/", "must be an http or https URL"],
    ["https:///path", "must be an http or https URL"],
    ["https://a:b@example.com/", "without user name and password"],
    ["https://bücher.example/h", "in A-labels"],
    ["https://exa mple.com/", "no space in its host name"],
    ["https://example.com/bücher", "as %XX"],
    ["https://example.com/a b", "spaces as %20"],
    ["https://example.com/%zz", "two hexadecimal digits"],
    ["https://example.com:65536/", "a port from 1 to 65535"],
    ["https://example.com:0/", "a port from 1 to 65535"],
    ["https://example.com/?a={b}", "{ | } as %XX"],
    ["https://example.com\\b", "\\ ^"],
    ["https://example.com:/", "a port from 1 to 65535"],
    ["https://[::1", "must be an http or https URL"],
    ["https://256.1.1.1/", "must be an http or https URL"]
  ] as const) {
    assert.include(
      Option.getOrElse(urlProblem(url), () => ""),
      problem,
      url
    )
  }
})
