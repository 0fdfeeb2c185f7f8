package io.stowline.kotlin

import io.stowline.outcome.WriteResult
import io.stowline.projection.filter.FilterProperty
import io.stowline.table.EntityKey
import io.stowline.table.ReactiveEntityMerge
import io.stowline.table.ReactiveTransaction
import io.stowline.table.CachedTable
import io.stowline.caching.CachedRead
import io.stowline.table.StoredEntity
import io.stowline.table.Table
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import kotlin.reflect.KProperty1

/** Returns a view of this table with entities of the type [R]; see [Table.as]. */
public inline fun <reified R : Any> Table<*>.view(): Table<R> = `as`(R::class.java)

/** Returns the property of a component, for a filter; see [Table.property]. */
public fun <T : Any> Table<T>.property(component: KProperty1<T, *>): FilterProperty = property(component.name)

/** Creates the table; see [Table.create]. */
public suspend fun Table<*>.awaitCreate() {
    reactive().create().awaitSingleOrNull()
}

/** Creates the table unless it exists; see [Table.createIfMissing]. */
public suspend fun Table<*>.awaitCreateIfMissing(): Boolean = reactive().createIfMissing().awaitSingle()

/** Returns whether the table exists; see [Table.exists]. */
public suspend fun Table<*>.awaitExists(): Boolean = reactive().exists().awaitSingle()

/** Deletes the table; see [Table.drop]. */
public suspend fun Table<*>.awaitDrop() {
    reactive().drop().awaitSingleOrNull()
}

/** Deletes the table if it exists; see [Table.dropIfExists]. */
public suspend fun Table<*>.awaitDropIfExists(): Boolean = reactive().dropIfExists().awaitSingle()

/** Inserts an entity that must not exist yet; see [Table.insert]. */
public suspend fun <T : Any> Table<T>.awaitInsert(value: T): WriteResult = reactive().insert(value).awaitSingle()

/** Inserts an entity that shows which client has inserted it; see [Table.claim]. */
public suspend fun <T : Any> Table<T>.awaitClaim(value: T): WriteResult = reactive().claim(value).awaitSingle()

/** Inserts an entity, or sets its properties if it exists; see [Table.insertOrMerge]. */
public suspend fun <T : Any> Table<T>.awaitInsertOrMerge(value: T): WriteResult =
    reactive().insertOrMerge(value).awaitSingle()

/** Inserts an entity, or replaces it if it exists; see [Table.insertOrReplace]. */
public suspend fun <T : Any> Table<T>.awaitInsertOrReplace(value: T): WriteResult =
    reactive().insertOrReplace(value).awaitSingle()

/** Replaces the version that was read; see [Table.replace]. */
public suspend fun <T : Any> Table<T>.awaitReplace(stored: StoredEntity<T>): WriteResult =
    reactive().replace(stored).awaitSingle()

/** Sets properties on the version that was read; see [Table.merge]. */
public suspend fun <T : Any> Table<T>.awaitMerge(stored: StoredEntity<T>): WriteResult =
    reactive().merge(stored).awaitSingle()

/**
 * Sets single properties of an entity that must exist; see [Table.merge].
 *
 * @param properties sets them, in one chain: `{ set("age", 42).ifMatch(etag) }`
 */
public suspend fun <T : Any> Table<T>.awaitMerge(
    partitionKey: String,
    rowKey: String,
    properties: ReactiveEntityMerge<T>.() -> ReactiveEntityMerge<T>,
): WriteResult = reactive().merge(partitionKey, rowKey).properties().awaitUpdate()

/**
 * Sets single properties of an entity, or makes an entity of them; see [Table.merge].
 *
 * @param properties sets them, in one chain: `{ set("age", 42).set("name", "Ann") }`
 */
public suspend fun <T : Any> Table<T>.awaitInsertOrMerge(
    partitionKey: String,
    rowKey: String,
    properties: ReactiveEntityMerge<T>.() -> ReactiveEntityMerge<T>,
): WriteResult = reactive().merge(partitionKey, rowKey).properties().awaitInsertOrMerge()

/** Sets the properties of an entity that must exist; see [ReactiveEntityMerge.update]. */
public suspend fun ReactiveEntityMerge<*>.awaitUpdate(): WriteResult = update().awaitSingle()

/** Sets the properties of an entity, or makes it; see [ReactiveEntityMerge.insertOrMerge]. */
public suspend fun ReactiveEntityMerge<*>.awaitInsertOrMerge(): WriteResult = insertOrMerge().awaitSingle()

/** Deletes the version that was read; see [Table.delete]. */
public suspend fun <T : Any> Table<T>.awaitDelete(stored: StoredEntity<T>): WriteResult =
    reactive().delete(stored).awaitSingle()

/** Deletes an entity by the keys of a value, whatever its version; see [Table.delete]. */
public suspend fun <T : Any> Table<T>.awaitDelete(value: T): WriteResult = reactive().delete(value).awaitSingle()

/** Deletes an entity, whatever its version; see [Table.delete]. */
public suspend fun Table<*>.awaitDelete(partitionKey: String, rowKey: String): WriteResult =
    reactive().delete(partitionKey, rowKey).awaitSingle()

/** Deletes an entity if it exists; see [Table.deleteIfExists]. */
public suspend fun Table<*>.awaitDeleteIfExists(partitionKey: String, rowKey: String): Boolean =
    reactive().deleteIfExists(partitionKey, rowKey).awaitSingle()

/** Returns the entity with these keys, or null; see [Table.find]. */
public suspend fun <T : Any> Table<T>.awaitFind(partitionKey: String, rowKey: String): StoredEntity<T>? =
    reactive().find(partitionKey, rowKey).awaitSingleOrNull()

/** Returns the entities with these keys that exist; see [Table.findAll]. */
public suspend fun <T : Any> Table<T>.awaitFindAll(keys: Collection<EntityKey>): List<StoredEntity<T>> =
    reactive().findAll(keys).awaitSingle()

/**
 * Reads an entity, changes it and writes it under the condition that it is unchanged, as often as another writer gets in between; see
 * [Table.modify]. The [change] may be called more than once, and does not suspend.
 *
 * @return the entity as it is stored now, or null if there is none
 */
public suspend fun <T : Any> Table<T>.awaitModify(
    partitionKey: String,
    rowKey: String,
    change: (T) -> T,
): StoredEntity<T>? = reactive().modify(partitionKey, rowKey) { change(it) }.awaitSingleOrNull()

/**
 * Commits an entity group transaction; see [Table.transaction].
 *
 * @param operations adds the operations, each of another row of the partition
 * @return the results in the order of the operations
 */
public suspend fun <T : Any> Table<T>.awaitTransaction(
    partitionKey: String,
    operations: ReactiveTransaction<T>.() -> Unit,
): List<WriteResult> = reactive().transaction(partitionKey).apply(operations).awaitCommit()

/** Commits the transaction; see [ReactiveTransaction.commit]. */
public suspend fun ReactiveTransaction<*>.awaitCommit(): List<WriteResult> = commit().awaitSingle()

/** Returns an entity from the cache, or reads it; see [CachedTable.find]. */
public suspend fun <T : Any> CachedTable<T>.awaitFind(
    partitionKey: String,
    rowKey: String,
): CachedRead<StoredEntity<T>> = reactive().find(partitionKey, rowKey).awaitSingle()
