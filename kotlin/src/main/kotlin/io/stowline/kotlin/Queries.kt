package io.stowline.kotlin

import io.stowline.table.IndexedTable
import io.stowline.table.Query
import io.stowline.table.ReactiveQuery
import io.stowline.table.StoredEntity
import io.stowline.table.Table
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull

/**
 * Prepares a query; see [Table.query]. Its ends are [flow], [awaitList], [awaitFirst], [awaitCount], [awaitPage], [flowPages] and
 * [awaitDeleteAll].
 *
 * @param narrow narrows the query, in one chain: `{ partition("2026").rowPrefix("A") }`
 */
public fun <T : Any, R : Any> Table<T>.query(narrow: ReactiveQuery<T>.() -> ReactiveQuery<R>): ReactiveQuery<R> =
    reactive().query().narrow()

/** Prepares a query of an indexed table, without its index rows; see [IndexedTable.query]. */
public fun <T : Any, R : Any> IndexedTable<T>.query(
    narrow: ReactiveQuery<T>.() -> ReactiveQuery<R>,
): ReactiveQuery<R> = reactive().query().narrow()

/**
 * Returns the entities of a query as a flow, read page by page as they are collected; see [Table.query].
 *
 * @param narrow narrows the query, in one chain: `{ partition("2026").rowPrefix("A") }`
 */
public fun <T : Any, R : Any> Table<T>.flow(narrow: ReactiveQuery<T>.() -> ReactiveQuery<R>): Flow<R> =
    query(narrow).flow()

/** Returns all entities of the table as a flow, read page by page as they are collected. */
public fun <T : Any> Table<T>.flow(): Flow<T> = reactive().query().flow()

/** Returns this query with results of the type [R]; see [ReactiveQuery.as]. */
public inline fun <reified R : Any> ReactiveQuery<*>.view(): ReactiveQuery<R> = `as`(R::class.java)

/** Returns the results as a flow; see [ReactiveQuery.stream]. */
public fun <T : Any> ReactiveQuery<T>.flow(): Flow<T> = stream().asFlow()

/** Returns the results with their ETags as a flow; see [ReactiveQuery.streamStored]. */
public fun <T : Any> ReactiveQuery<T>.flowStored(): Flow<StoredEntity<T>> = streamStored().asFlow()

/** Returns all results; see [ReactiveQuery.list]. */
public suspend fun <T : Any> ReactiveQuery<T>.awaitList(): List<T> = list().awaitSingle()

/** Returns the first result, or null; see [ReactiveQuery.first]. */
public suspend fun <T : Any> ReactiveQuery<T>.awaitFirst(): T? = first().awaitSingleOrNull()

/** Returns the number of results; see [ReactiveQuery.count]. */
public suspend fun ReactiveQuery<*>.awaitCount(): Long = count().awaitSingle()

/** Returns a page: the first one, or the one after the page that gave the [token]; see [ReactiveQuery.page]. */
public suspend fun <T : Any> ReactiveQuery<T>.awaitPage(token: String? = null): Query.Page<T> =
    (if (token == null) page() else page(token)).awaitSingle()

/** Returns a page with ETags: the first one, or the one after the page that gave the [token]; see [ReactiveQuery.pageStored]. */
public suspend fun <T : Any> ReactiveQuery<T>.awaitPageStored(token: String? = null): Query.Page<StoredEntity<T>> =
    (if (token == null) pageStored() else pageStored(token)).awaitSingle()

/**
 * Returns the pages as a flow, from the first one or from the one after the page that gave the [token]. Each is requested when it is
 * collected, so a collector that keeps [Query.Page.nextToken] can go on from there.
 */
public fun <T : Any> ReactiveQuery<T>.flowPages(token: String? = null): Flow<Query.Page<T>> = flow {
    var page = awaitPage(token)
    emit(page)
    while (page.nextToken().isPresent) {
        page = awaitPage(page.nextToken().get())
        emit(page)
    }
}

/** Deletes all results in transactions; see [ReactiveQuery.deleteAll]. */
public suspend fun ReactiveQuery<*>.awaitDeleteAll(): Query.DeletionReport = deleteAll().awaitSingle()
