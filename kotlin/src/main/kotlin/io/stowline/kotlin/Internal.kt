package io.stowline.kotlin

import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.reactor.mono
import kotlinx.coroutines.withContext
import org.reactivestreams.Publisher
import reactor.core.Exceptions
import reactor.core.publisher.Mono
import java.nio.ByteBuffer
import kotlin.coroutines.CoroutineContext

/** Runs a block and closes what it used, after a failure and a cancellation too; a failure of the close does not hide that of the block. */
internal suspend fun <R> closing(close: suspend () -> Unit, block: suspend () -> R): R {
    val result = try {
        block()
    } catch (failure: Throwable) {
        try {
            withContext(NonCancellable) { close() }
        } catch (other: Throwable) {
            if (other !== failure) {
                failure.addSuppressed(other)
            }
        }
        throw failure
    }
    withContext(NonCancellable) { close() }
    return result
}

/** Requests one buffer at a time, since each may have the size of a range. */
internal fun Publisher<ByteBuffer>.asContent(): Flow<ByteBuffer> = asFlow().buffer(Channel.RENDEZVOUS)

/**
 * Returns a function whose results run suspending [work], each in a coroutine that the subscriber cancels. Reactor signals no fatal error, so
 * such an error is the cause of an `IllegalStateException`; the scope hands over those of child coroutines, too.
 */
internal fun <A> coroutines(context: CoroutineContext, work: suspend (A) -> Unit): (A) -> Mono<Unit> {
    require(context[Job] == null) {
        "the context has a Job, ${context[Job]}, but each call runs in a coroutine whose job the library cancels; " +
            "pass the dispatcher alone, or context.minusKey(Job)"
    }
    return { argument ->
        mono(context) {
            try {
                coroutineScope { work(argument) }
            } catch (error: Throwable) {
                throw if (Exceptions.isFatal(error)) IllegalStateException("the coroutine threw $error", error) else error
            }
        }
    }
}
