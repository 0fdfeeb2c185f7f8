package io.stowline.kotlin

import io.stowline.queue.MessageLease
import io.stowline.queue.MessageQueue
import io.stowline.queue.QueueConsumer
import io.stowline.queue.ShardedQueue
import io.stowline.table.outbox.Outbox
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import java.time.Duration
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/**
 * Prepares a consumer with a suspending [handler]; see [MessageQueue.consume]. A message whose handler returns is deleted. A message whose
 * handler throws, be it a `CancellationException` such as that of `withTimeout`, is visible again after the retry delay. The
 * consumer cancels the coroutine of a handler whose lease is lost, whose time is over, or which outlives the stop of the consumer.
 *
 * @param context where the coroutines of the handlers run; `Dispatchers.Default` unless it names another dispatcher
 * @throws IllegalArgumentException if the context has a `Job`, as that of a scope or a coroutine has
 */
public fun <T : Any> MessageQueue<T>.consumeSuspending(
    context: CoroutineContext = EmptyCoroutineContext,
    handler: suspend (MessageLease<T>) -> Unit,
): QueueConsumer.Builder = reactive().consume(coroutines(context, handler))

/** Prepares a consumer of all queues with a suspending [handler]; see the function of the same name for [MessageQueue]. */
public fun <T : Any> ShardedQueue<T>.consumeSuspending(
    context: CoroutineContext = EmptyCoroutineContext,
    handler: suspend (MessageLease<T>) -> Unit,
): QueueConsumer.Builder = reactive().consume(coroutines(context, handler))

/** Stops the consumer and waits for its handlers; those that run [atMost] so long are cancelled; see [QueueConsumer.stopAsync]. */
public suspend fun QueueConsumer.awaitStop(atMost: Duration): QueueConsumer.StopReport = stopAsync(atMost).awaitSingle()

/** Keeps a text with the message, which its next delivery has; see [MessageLease.checkpoint]. */
public suspend fun MessageLease<*>.awaitCheckpoint(text: String) {
    reactive().checkpoint(text).awaitSingleOrNull()
}

/** Deletes the message before the handler returns; see [MessageLease.complete]. */
public suspend fun MessageLease<*>.awaitComplete() {
    reactive().complete().awaitSingleOrNull()
}

/** Gives the message back, to be visible after a [delay]; see [MessageLease.retryIn]. */
public suspend fun MessageLease<*>.awaitRetryIn(delay: Duration) {
    reactive().retryIn(delay).awaitSingleOrNull()
}

/** Moves the message to the poison queue; see [MessageLease.poison]. */
public suspend fun MessageLease<*>.awaitPoison(why: String) {
    reactive().poison(why).awaitSingleOrNull()
}

/** Ends the lease of a message that no consumer handles; see [MessageLease.close]. */
public suspend fun MessageLease<*>.awaitClose() {
    reactive().close().awaitSingleOrNull()
}

/** Sends what killed processes have left in the outbox of a table; see [Outbox.recover]. */
public suspend fun Outbox.awaitRecover(table: String): Long = reactive().recover(table).awaitSingle()
