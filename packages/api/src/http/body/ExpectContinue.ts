import type { HttpServerRequest } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"

const expectation = (request: HttpServerRequest.HttpServerRequest) =>
  NodeHttpServerRequest.toIncomingMessage(request).httpVersion === "1.1" ? request.headers.expect : undefined

/** Whether the header `Expect` has an unsupported value (RFC 9110 section 10.1.1). */
export const hasUnknownExpectation = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const expected = expectation(request)
  return expected !== undefined && !/^100-continue$/i.test(expected)
}

/** Sends `100 Continue` to a client that waits for it before it sends the body. */
export const writeContinue = (request: HttpServerRequest.HttpServerRequest): void => {
  if (expectation(request) !== undefined) NodeHttpServerRequest.toServerResponse(request).writeContinue()
}
