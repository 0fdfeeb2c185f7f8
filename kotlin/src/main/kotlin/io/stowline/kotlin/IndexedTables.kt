package io.stowline.kotlin

import io.stowline.outcome.WriteResult
import io.stowline.table.Index
import io.stowline.table.IndexLookup
import io.stowline.table.IndexedTable
import io.stowline.table.Query
import io.stowline.table.ReactiveTransaction
import io.stowline.table.StoredEntity
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull

/** Inserts an entity and its index rows; see [IndexedTable.insert]. */
public suspend fun <T : Any> IndexedTable<T>.awaitInsert(value: T): WriteResult = reactive().insert(value).awaitSingle()

/** Inserts or replaces an entity, and adapts its index rows; see [IndexedTable.insertOrReplace]. */
public suspend fun <T : Any> IndexedTable<T>.awaitInsertOrReplace(value: T): WriteResult =
    reactive().insertOrReplace(value).awaitSingle()

/** Replaces the version that was read, and adapts its index rows; see [IndexedTable.replace]. */
public suspend fun <T : Any> IndexedTable<T>.awaitReplace(stored: StoredEntity<T>): WriteResult =
    reactive().replace(stored).awaitSingle()

/** Deletes the version that was read, and its index rows; see [IndexedTable.delete]. */
public suspend fun <T : Any> IndexedTable<T>.awaitDelete(stored: StoredEntity<T>): WriteResult =
    reactive().delete(stored).awaitSingle()

/**
 * Commits an entity group transaction with the index rows of its entities; see [IndexedTable.transaction].
 *
 * @param operations adds the operations, each of another row of the partition
 * @return the results in the order of the operations
 */
public suspend fun <T : Any> IndexedTable<T>.awaitTransaction(
    partitionKey: String,
    operations: ReactiveTransaction<T>.() -> Unit,
): List<WriteResult> = reactive().transaction(partitionKey).apply(operations).awaitCommit()

/** Returns the entity with these keys, or null; see [IndexedTable.find]. */
public suspend fun <T : Any> IndexedTable<T>.awaitFind(partitionKey: String, rowKey: String): StoredEntity<T>? =
    reactive().find(partitionKey, rowKey).awaitSingleOrNull()

/** Returns the entity with this value of an index, or null; see [IndexedTable.find]. */
public suspend fun <T : Any, V : Any> IndexedTable<T>.awaitFind(
    index: Index<T, V>,
    partitionKey: String,
    value: V,
): T? = reactive().find(index, partitionKey, value).awaitSingleOrNull()

/** Returns the entity with this value of an index and its ETag, or null; see [IndexedTable.findStored]. */
public suspend fun <T : Any, V : Any> IndexedTable<T>.awaitFindStored(
    index: Index<T, V>,
    partitionKey: String,
    value: V,
): StoredEntity<T>? = reactive().findStored(index, partitionKey, value).awaitSingleOrNull()

/** Returns the entities of a partition in the order of an index; see [IndexedTable.stream]. */
public fun <T : Any> IndexedTable<T>.flow(index: Index<T, *>, partitionKey: String): Flow<T> =
    reactive().stream(index, partitionKey).asFlow()

/** Returns the entities of a partition with this value of an index; see [IndexedTable.stream]. */
public fun <T : Any, V : Any> IndexedTable<T>.flow(index: Index<T, V>, partitionKey: String, value: V): Flow<T> =
    reactive().stream(index, partitionKey, value).asFlow()

/** Returns the entities of a partition with values of an index in a range; see [IndexedTable.range]. */
public fun <T : Any, V : Any> IndexedTable<T>.flowRange(
    index: Index<T, V>,
    partitionKey: String,
    from: V,
    below: V,
): Flow<T> = reactive().range(index, partitionKey, from, below).asFlow()

/** Returns the entities of a partition with values of an index from one on; see [IndexedTable.rangeFrom]. */
public fun <T : Any, V : Any> IndexedTable<T>.flowRangeFrom(index: Index<T, V>, partitionKey: String, from: V): Flow<T> =
    reactive().rangeFrom(index, partitionKey, from).asFlow()

/** Returns the entities of all partitions with this value of a global index; see [IndexedTable.global]. */
public fun <T : Any, V : Any> IndexedTable<T>.flowGlobal(index: Index<T, V>, value: V): Flow<StoredEntity<T>> =
    reactive().global(index, value).asFlow()

/** Returns a page of a lookup, from the begin or after the page that gave the [token]; see [IndexedTable.page]. */
public suspend fun <T : Any> IndexedTable<T>.awaitPage(lookup: IndexLookup<T>, token: String? = null): Query.Page<T> =
    (if (token == null) reactive().page(lookup) else reactive().page(lookup, token)).awaitSingle()

/** Returns a page of a lookup with ETags, from the begin or after the page that gave the [token]; see [IndexedTable.pageStored]. */
public suspend fun <T : Any> IndexedTable<T>.awaitPageStored(
    lookup: IndexLookup<T>,
    token: String? = null,
): Query.Page<StoredEntity<T>> =
    (if (token == null) reactive().pageStored(lookup) else reactive().pageStored(lookup, token)).awaitSingle()

/** Repairs the index rows of a partition; see [IndexedTable.repair]. */
public suspend fun IndexedTable<*>.awaitRepair(partitionKey: String): IndexedTable.IndexReport =
    reactive().repair(partitionKey).awaitSingle()

/** Repairs the index rows of all partitions, each of which is reported to [progress]; see [IndexedTable.repair]. */
public suspend fun IndexedTable<*>.awaitRepair(
    progress: (String, IndexedTable.IndexReport) -> Unit = { _, _ -> },
): IndexedTable.IndexReport = reactive().repair(progress).awaitSingle()

/** Repairs the index rows from one partition on; see [IndexedTable.repairFrom]. */
public suspend fun IndexedTable<*>.awaitRepairFrom(
    partitionKey: String,
    progress: (String, IndexedTable.IndexReport) -> Unit = { _, _ -> },
): IndexedTable.IndexReport = reactive().repairFrom(partitionKey, progress).awaitSingle()

/** Makes the index rows of entities that have none; see [IndexedTable.backfill]. */
public suspend fun IndexedTable<*>.awaitBackfill(
    progress: (String, IndexedTable.IndexReport) -> Unit = { _, _ -> },
): IndexedTable.IndexReport = reactive().backfill(progress).awaitSingle()

/** Makes the index rows of entities that have none, from one partition on; see [IndexedTable.backfillFrom]. */
public suspend fun IndexedTable<*>.awaitBackfillFrom(
    partitionKey: String,
    progress: (String, IndexedTable.IndexReport) -> Unit = { _, _ -> },
): IndexedTable.IndexReport = reactive().backfillFrom(partitionKey, progress).awaitSingle()
