package io.stowline.kotlin

import io.stowline.outcome.ItemResult
import io.stowline.outcome.WriteResult
import io.stowline.queue.PeekedMessage
import io.stowline.queue.ReceivedMessage
import io.stowline.queue.SendResult
import io.stowline.queue.SendSettings
import io.stowline.queue.ShardedQueue
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import java.time.Duration

/** Creates the queues that are missing; see [ShardedQueue.createIfMissing]. */
public suspend fun ShardedQueue<*>.awaitCreateIfMissing(): Boolean = reactive().createIfMissing().awaitSingle()

/** Deletes the queues that exist; see [ShardedQueue.dropIfExists]. */
public suspend fun ShardedQueue<*>.awaitDropIfExists(): Boolean = reactive().dropIfExists().awaitSingle()

/** Returns whether all queues exist; see [ShardedQueue.exists]. */
public suspend fun ShardedQueue<*>.awaitExists(): Boolean = reactive().exists().awaitSingle()

/** Sends a message to one of the queues, which the [key] decides if there is one; see [ShardedQueue.send]. */
public suspend fun <T : Any> ShardedQueue<T>.awaitSend(
    body: T,
    key: String? = null,
    settings: SendSettings.Builder.() -> Unit = {},
): SendResult =
    (
        if (key == null) {
            reactive().send(body) { it.apply(settings) }
        } else {
            reactive().send(body, key) { it.apply(settings) }
        }
    ).awaitSingle()

/** Sends several messages, in parallel; a message whose [key] is not null goes to the queue of that key; see [ShardedQueue.sendAll]. */
public suspend fun <T : Any> ShardedQueue<T>.awaitSendAll(
    bodies: Iterable<T>,
    key: (T) -> String? = { null },
    settings: SendSettings.Builder.() -> Unit = {},
): List<ItemResult<T, SendResult>> = reactive().sendAll(bodies, key) { it.apply(settings) }.awaitSingle()

/** Receives up to [max] messages for the time of a [lease]; see [ShardedQueue.receive]. */
public suspend fun <T : Any> ShardedQueue<T>.awaitReceive(
    max: Int,
    lease: Duration = Duration.ofSeconds(30),
): List<ReceivedMessage<T>> = reactive().receive(max, lease).awaitSingle()

/** Returns messages without taking them; see [ShardedQueue.peek]. */
public suspend fun <T : Any> ShardedQueue<T>.awaitPeek(max: Int): List<PeekedMessage<T>> =
    reactive().peek(max).awaitSingle()

/** Deletes a message that was received; see [ShardedQueue.delete]. */
public suspend fun ShardedQueue<*>.awaitDelete(message: ReceivedMessage<*>): WriteResult =
    reactive().delete(message).awaitSingle()

/** Deletes all messages of all queues; see [ShardedQueue.clear]. */
public suspend fun ShardedQueue<*>.awaitClear() {
    reactive().clear().awaitSingleOrNull()
}

/** Returns about how many messages there are in all queues; see [ShardedQueue.approximateCount]. */
public suspend fun ShardedQueue<*>.awaitApproximateCount(): Long = reactive().approximateCount().awaitSingle()
