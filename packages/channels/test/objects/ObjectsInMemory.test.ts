import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { objectsInMemory } from "@switchboard/services/testing/objects/ObjectsInMemory"
import { Effect } from "effect"
import { objectStoreContract } from "./ObjectStoreContract.js"

objectStoreContract("memory", Effect.provide(ObjectStore, objectsInMemory()))
