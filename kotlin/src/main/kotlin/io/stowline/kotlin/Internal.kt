package io.stowline.kotlin

import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.withContext
import org.reactivestreams.Publisher
import java.nio.ByteBuffer

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
