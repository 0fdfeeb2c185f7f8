package io.stowline.kotlin

import io.stowline.Stowline
import io.stowline.projection.Mapping
import io.stowline.queue.MessageQueue
import io.stowline.queue.ShardSettings
import io.stowline.queue.ShardedQueue
import io.stowline.table.Table
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull

/** Returns the table [name] of entities of the type [T]; see [Stowline.table]. */
public inline fun <reified T : Any> Stowline.table(name: String): Table<T> = table(name, T::class.java)

/** Returns the table [name] of entities of the type [T], which are mapped by a [mapping]; see [Stowline.table]. */
public inline fun <reified T : Any> Stowline.table(
    name: String,
    crossinline mapping: Mapping.Builder.() -> Unit,
): Table<T> = table(name, T::class.java) { it.apply { mapping() } }

/** Returns the queue [name] of messages of the type [T]; see [Stowline.queue]. */
public inline fun <reified T : Any> Stowline.queue(name: String): MessageQueue<T> = queue(name, T::class.java)

/** Returns the queues that share the messages of the type [T] under one [name]; see [Stowline.shardedQueue]. */
public inline fun <reified T : Any> Stowline.shardedQueue(
    name: String,
    crossinline settings: ShardSettings.Builder.() -> Unit,
): ShardedQueue<T> = shardedQueue(name, T::class.java) { it.apply { settings() } }

/** Returns the names of the tables; see [Stowline.listTables]. */
public suspend fun Stowline.awaitListTables(): List<String> = reactive().listTables().awaitSingle()

/** Returns the names of the queues that begin with one of the [prefixes]; see [Stowline.listQueues]. */
public suspend fun Stowline.awaitListQueues(prefixes: Collection<String> = listOf("")): List<String> =
    reactive().listQueues(prefixes).awaitSingle()

/** Returns the names of the containers that begin with one of the [prefixes]; see [Stowline.listContainers]. */
public suspend fun Stowline.awaitListContainers(prefixes: Collection<String> = listOf("")): List<String> =
    reactive().listContainers(prefixes).awaitSingle()

/** Closes the client, and waits for what it has begun; see [Stowline.close]. */
public suspend fun Stowline.awaitClose() {
    reactive().close().awaitSingleOrNull()
}
