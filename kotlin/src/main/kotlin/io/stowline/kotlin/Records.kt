package io.stowline.kotlin

import io.stowline.records.ReactiveRecordBlobs
import io.stowline.records.RecordBlobs
import io.stowline.records.RecordFormat
import io.stowline.records.RecordPosition
import io.stowline.records.RecordReadSettings
import io.stowline.records.RecordWriter
import io.stowline.table.FlushReport
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.reactor.asFlux
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import java.time.Instant

/** Returns the format of records of the type [T] as lines of JSON; see [RecordFormat.json]. */
public inline fun <reified T : Any> jsonRecords(): RecordFormat<T> = RecordFormat.json(T::class.java)

/** Writes a record, which is accepted when this returns; see [RecordWriter.write]. Suspends while there is no room. */
public suspend fun <T : Any> RecordWriter<T>.awaitWrite(record: T) {
    reactive().write(record).awaitSingleOrNull()
}

/** Writes the records of a flow, which is collected as far as there is room; see [io.stowline.records.ReactiveRecordWriter.writeAll]. */
public suspend fun <T : Any> RecordWriter<T>.awaitWriteAll(records: Flow<T>): Long =
    reactive().writeAll(records.asFlux()).awaitSingle()

/** Waits until everything that was accepted before is stored; see [RecordWriter.flush]. */
public suspend fun RecordWriter<*>.awaitFlush(): FlushReport = reactive().flush().awaitSingle()

/** Waits until the records of an earlier process are stored; see [RecordWriter.awaitReplay]. */
public suspend fun RecordWriter<*>.awaitReplayed(): FlushReport = reactive().awaitReplay().awaitSingle()

/** Closes the writer, and waits until everything that was accepted is stored; see [RecordWriter.close]. */
public suspend fun RecordWriter<*>.awaitClose() {
    reactive().close().awaitSingleOrNull()
}

/** Calls a [block] with this writer and closes it, after a failure and a cancellation too, without blocking a thread. */
public suspend fun <T : Any, R> RecordWriter<T>.useSuspending(block: suspend (RecordWriter<T>) -> R): R =
    closing({ awaitClose() }) { block(this) }

/** Returns the records of a span of time as a flow; see [RecordBlobs.read]. */
public fun <T : Any> RecordBlobs.flow(
    format: RecordFormat<T>,
    from: Instant,
    to: Instant,
    settings: RecordReadSettings.Builder<T>.() -> Unit = {},
): Flow<T> = reactive().read(format, from, to) { it.apply(settings) }.asFlow()

/** Returns the records after a position as a flow of batches with their positions; see [ReactiveRecordBlobs.readAfter]. */
public fun <T : Any> RecordBlobs.flowAfter(
    format: RecordFormat<T>,
    position: RecordPosition,
    max: Int,
    settings: RecordReadSettings.Builder<T>.() -> Unit = {},
): Flow<ReactiveRecordBlobs.Batch<T>> = reactive().readAfter(format, position, max) { it.apply(settings) }.asFlow()
