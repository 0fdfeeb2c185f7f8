package io.stowline.kotlin

import io.stowline.outcome.ItemResult
import io.stowline.outcome.WriteResult
import io.stowline.table.FlushReport
import io.stowline.table.StoredEntity
import io.stowline.table.Submission
import io.stowline.table.TableOperation
import io.stowline.table.TableWriter
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.reactor.asFlux
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull

/** Submits an insert and waits for its result; see [TableWriter.insert]. Suspends while there is no room. */
public suspend fun <T : Any> TableWriter<T>.awaitInsert(value: T): WriteResult = reactive().insert(value).awaitSingle()

/** Submits an upsert that merges and waits for its result; see [TableWriter.insertOrMerge]. */
public suspend fun <T : Any> TableWriter<T>.awaitInsertOrMerge(value: T): WriteResult =
    reactive().insertOrMerge(value).awaitSingle()

/** Submits an upsert that replaces and waits for its result; see [TableWriter.insertOrReplace]. */
public suspend fun <T : Any> TableWriter<T>.awaitInsertOrReplace(value: T): WriteResult =
    reactive().insertOrReplace(value).awaitSingle()

/** Submits a replacement of the version that was read and waits for its result; see [TableWriter.replace]. */
public suspend fun <T : Any> TableWriter<T>.awaitReplace(stored: StoredEntity<T>): WriteResult =
    reactive().replace(stored).awaitSingle()

/** Submits a merge into the version that was read and waits for its result; see [TableWriter.merge]. */
public suspend fun <T : Any> TableWriter<T>.awaitMerge(stored: StoredEntity<T>): WriteResult =
    reactive().merge(stored).awaitSingle()

/** Submits a deletion of the version that was read and waits for its result; see [TableWriter.delete]. */
public suspend fun <T : Any> TableWriter<T>.awaitDelete(stored: StoredEntity<T>): WriteResult =
    reactive().delete(stored).awaitSingle()

/** Submits a deletion by the keys of a value and waits for its result; see [TableWriter.delete]. */
public suspend fun <T : Any> TableWriter<T>.awaitDelete(value: T): WriteResult = reactive().delete(value).awaitSingle()

/** Submits a deletion and waits for its result; see [TableWriter.delete]. */
public suspend fun TableWriter<*>.awaitDelete(partitionKey: String, rowKey: String): WriteResult =
    reactive().delete(partitionKey, rowKey).awaitSingle()

/**
 * Writes the operations of a flow, which is collected as far as there is room, and returns their results in the order of their ends; see
 * [io.stowline.table.ReactiveTableWriter.write].
 */
public fun <T : Any, C : Any> TableWriter<T>.write(
    operations: Flow<TableOperation<T, C>>,
): Flow<ItemResult<C, WriteResult>> = reactive().write(operations.asFlux()).asFlow()

/** Waits until everything that was accepted before has its result; see [TableWriter.flush]. */
public suspend fun TableWriter<*>.awaitFlush(): FlushReport = reactive().flush().awaitSingle()

/** Waits until the operations of an earlier process have their results; see [TableWriter.awaitReplay]. */
public suspend fun TableWriter<*>.awaitReplayed(): TableWriter.ReplayReport = reactive().awaitReplay().awaitSingle()

/** Returns the operations of the journal that were rejected; see [TableWriter.rejected]. */
public suspend fun TableWriter<*>.awaitRejected(): List<TableWriter.RejectedOperation> =
    reactive().rejected().awaitSingle()

/** Removes a rejected operation from the journal; see [TableWriter.discardRejected]. */
public suspend fun TableWriter<*>.awaitDiscardRejected(id: Long) {
    reactive().discardRejected(id).awaitSingleOrNull()
}

/** Closes the writer, and waits until everything that was accepted has its result; see [TableWriter.close]. */
public suspend fun TableWriter<*>.awaitClose() {
    reactive().close().awaitSingleOrNull()
}

/** Waits for the result of an item. Cancellation gives up the wait and not the item; see [Submission.result]. */
public suspend fun <R : Any> Submission<R>.awaitResult(): R = result().awaitSingle()

/**
 * Calls a [block] with this writer and closes it, as `use` does, without blocking a thread. The close goes on when the coroutine is cancelled:
 * what was accepted gets its result.
 *
 * @return the result of the block
 */
public suspend fun <T : Any, R> TableWriter<T>.useSuspending(block: suspend (TableWriter<T>) -> R): R =
    closing({ awaitClose() }) { block(this) }
