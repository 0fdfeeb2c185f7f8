package io.stowline.kotlin

import io.stowline.outcome.ItemResult
import io.stowline.outcome.WriteResult
import io.stowline.queue.MessageQueue
import io.stowline.queue.PeekedMessage
import io.stowline.queue.PoisonQueue
import io.stowline.queue.QueueInfo
import io.stowline.queue.ReceivedMessage
import io.stowline.queue.SendResult
import io.stowline.queue.SendSettings
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import java.time.Duration

/** Creates the queue; see [MessageQueue.create]. */
public suspend fun MessageQueue<*>.awaitCreate() {
    reactive().create().awaitSingleOrNull()
}

/** Creates the queue unless it exists; see [MessageQueue.createIfMissing]. */
public suspend fun MessageQueue<*>.awaitCreateIfMissing(): Boolean = reactive().createIfMissing().awaitSingle()

/** Deletes the queue; see [MessageQueue.drop]. */
public suspend fun MessageQueue<*>.awaitDrop() {
    reactive().drop().awaitSingleOrNull()
}

/** Deletes the queue if it exists; see [MessageQueue.dropIfExists]. */
public suspend fun MessageQueue<*>.awaitDropIfExists(): Boolean = reactive().dropIfExists().awaitSingle()

/** Returns whether the queue exists; see [MessageQueue.exists]. */
public suspend fun MessageQueue<*>.awaitExists(): Boolean = reactive().exists().awaitSingle()

/** Sends a message; see [MessageQueue.send]. */
public suspend fun <T : Any> MessageQueue<T>.awaitSend(
    body: T,
    settings: SendSettings.Builder.() -> Unit = {},
): SendResult = reactive().send(body) { it.apply(settings) }.awaitSingle()

/** Sends several messages, in parallel; see [MessageQueue.sendAll]. */
public suspend fun <T : Any> MessageQueue<T>.awaitSendAll(
    bodies: Iterable<T>,
    settings: SendSettings.Builder.() -> Unit = {},
): List<ItemResult<T, SendResult>> = reactive().sendAll(bodies) { it.apply(settings) }.awaitSingle()

/** Receives a message, or null if none is visible; see [MessageQueue.receive]. */
public suspend fun <T : Any> MessageQueue<T>.awaitReceive(): ReceivedMessage<T>? =
    reactive().receive().awaitSingleOrNull()

/** Receives up to [max] messages for the time of a [lease]; see [MessageQueue.receive]. */
public suspend fun <T : Any> MessageQueue<T>.awaitReceive(
    max: Int,
    lease: Duration = Duration.ofSeconds(30),
): List<ReceivedMessage<T>> = reactive().receive(max, lease).awaitSingle()

/** Returns messages without taking them; see [MessageQueue.peek]. */
public suspend fun <T : Any> MessageQueue<T>.awaitPeek(max: Int): List<PeekedMessage<T>> =
    reactive().peek(max).awaitSingle()

/** Hides a message that was received for a further [lease]; see [MessageQueue.update]. */
public suspend fun <T : Any> MessageQueue<T>.awaitUpdate(
    message: ReceivedMessage<T>,
    lease: Duration,
): ReceivedMessage<T> = reactive().update(message, lease).awaitSingle()

/** Changes the body of a message that was received, and hides it for a further [lease]; see [MessageQueue.update]. */
public suspend fun <T : Any> MessageQueue<T>.awaitUpdate(
    message: ReceivedMessage<T>,
    newBody: T,
    lease: Duration,
): ReceivedMessage<T> = reactive().update(message, newBody, lease).awaitSingle()

/** Deletes a message that was received; see [MessageQueue.delete]. */
public suspend fun MessageQueue<*>.awaitDelete(message: ReceivedMessage<*>): WriteResult =
    reactive().delete(message).awaitSingle()

/** Deletes a message that was sent; see [MessageQueue.delete]. */
public suspend fun MessageQueue<*>.awaitDelete(message: SendResult): WriteResult =
    reactive().delete(message).awaitSingle()

/** Deletes a message that was received, unless its lease is over; see [MessageQueue.deleteIfOurs]. */
public suspend fun MessageQueue<*>.awaitDeleteIfOurs(message: ReceivedMessage<*>): Boolean =
    reactive().deleteIfOurs(message).awaitSingle()

/** Deletes a message that was sent, unless a receiver has it; see [MessageQueue.deleteIfOurs]. */
public suspend fun MessageQueue<*>.awaitDeleteIfOurs(message: SendResult): Boolean =
    reactive().deleteIfOurs(message).awaitSingle()

/** Deletes all messages; see [MessageQueue.clear]. */
public suspend fun MessageQueue<*>.awaitClear() {
    reactive().clear().awaitSingleOrNull()
}

/** Returns about how many messages there are; see [MessageQueue.approximateCount]. */
public suspend fun MessageQueue<*>.awaitApproximateCount(): Long = reactive().approximateCount().awaitSingle()

/** Returns the metadata and the approximate count; see [MessageQueue.info]. */
public suspend fun MessageQueue<*>.awaitInfo(): QueueInfo = reactive().info().awaitSingle()

/** Replaces the metadata; see [MessageQueue.setMetadata]. */
public suspend fun MessageQueue<*>.awaitSetMetadata(metadata: Map<String, String>): WriteResult =
    reactive().setMetadata(metadata).awaitSingle()

/** Deletes bodies in blobs whose messages are gone; see [MessageQueue.sweepBodies]. */
public suspend fun MessageQueue<*>.awaitSweepBodies(olderThan: Duration): Long =
    reactive().sweepBodies(olderThan).awaitSingle()

/** Returns the number of poison messages; see [PoisonQueue.count]. */
public suspend fun PoisonQueue<*>.awaitCount(): Long = reactive().count().awaitSingle()

/** Returns poison messages without taking them; see [PoisonQueue.peek]. */
public suspend fun <T : Any> PoisonQueue<T>.awaitPeek(max: Int): List<PoisonQueue.Message<T>> =
    reactive().peek(max).awaitSingle()

/** Moves the poison messages that pass the [filter] back to their queue; see [PoisonQueue.redrive]. */
public suspend fun <T : Any> PoisonQueue<T>.awaitRedrive(
    filter: (PoisonQueue.Message<T>) -> Boolean = { true },
): Long = reactive().redrive(filter).awaitSingle()

/** Deletes the poison messages that pass the [filter]; see [PoisonQueue.remove]. */
public suspend fun <T : Any> PoisonQueue<T>.awaitRemove(filter: (PoisonQueue.Message<T>) -> Boolean): Long =
    reactive().remove(filter).awaitSingle()

/** Calls an [action] with each poison message; see [PoisonQueue.forEach]. */
public suspend fun <T : Any> PoisonQueue<T>.awaitForEach(action: (PoisonQueue.Message<T>) -> Unit) {
    reactive().forEach(action).awaitSingleOrNull()
}

/** Deletes all poison messages; see [PoisonQueue.clear]. */
public suspend fun PoisonQueue<*>.awaitClear() {
    reactive().clear().awaitSingleOrNull()
}
