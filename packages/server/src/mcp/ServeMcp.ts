import * as McpServer from "@effect/ai/McpServer"
import { HttpClient } from "@effect/platform"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as RpcServer from "@effect/rpc/RpcServer"
import { make } from "@switchboard/client/Switchboard"
import { Version } from "@switchboard/services/Version"
import { Effect, Layer, Logger } from "effect"
import { type ServiceAccess, withResponseTimeout } from "../access/ServiceAccess.js"
import { registerTools } from "./AgentTool.js"
import { serveLoopback } from "./HttpProtocol.js"
import { JsonRpcLines } from "./JsonRpc.js"
import { messageTools } from "./MessageTools.js"
import { serviceTools } from "./ServiceTools.js"
import { StdioProtocol } from "./StdioProtocol.js"

const serverName = "switchboard"

const Tools = (access: ServiceAccess, canSend: boolean) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const http = withResponseTimeout(yield* HttpClient.HttpClient)
      const client = yield* Effect.provideService(make(access), HttpClient.HttpClient, http)
      yield* registerTools(access, client, [...messageTools(canSend), ...serviceTools])
    })
  ).pipe(Layer.provide(NodeHttpClient.layerUndici))

/** The server with its tools. */
const ToolServer = (access: ServiceAccess, canSend: boolean) =>
  Layer.unwrapEffect(
    Effect.map(Version, (version) =>
      Tools(access, canSend).pipe(Layer.provideMerge(McpServer.layer({ name: serverName, version })))
    )
  )

/** Over standard input and output, standard output has only messages of the protocol. */
const LogsToStandardError = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))

/** Serves the tools over standard input and output, until the input ends. */
export const serveStdio = (access: ServiceAccess, canSend: boolean) =>
  Layer.launch(ToolServer(access, canSend).pipe(Layer.provide(StdioProtocol), Layer.provide(JsonRpcLines))).pipe(
    Effect.provide(LogsToStandardError)
  )

/** Serves the tools over HTTP, on loopback addresses. */
export const serveHttp = (access: ServiceAccess, canSend: boolean, port: number) =>
  Effect.gen(function* () {
    const { httpApp, protocol } = yield* RpcServer.makeProtocolWithHttpApp
    const Listening = Layer.scopedDiscard(serveLoopback(httpApp, access.apiKey, port))
    const Server = Layer.provide(ToolServer(access, canSend), Layer.succeed(RpcServer.Protocol, protocol))
    return yield* Layer.launch(Layer.provide(Listening, Server))
  }).pipe(Effect.provide(Layer.merge(JsonRpcLines, LogsToStandardError)))
