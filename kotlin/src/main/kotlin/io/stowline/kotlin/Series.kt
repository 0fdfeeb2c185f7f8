package io.stowline.kotlin

import io.stowline.outcome.WriteResult
import io.stowline.table.ReactiveRollingSeries
import io.stowline.table.ReactiveTimeSeries
import io.stowline.table.RollingSeries
import io.stowline.table.Table
import io.stowline.table.TimeSeries
import kotlinx.coroutines.reactor.awaitSingle
import java.time.Instant
import java.util.SortedMap

/** Returns a series of values of the type [V] by this [layout]; see [Table.series]. */
public inline fun <reified V : Any> Table<*>.series(name: String, layout: TimeSeries.Layout): ReactiveTimeSeries<V> =
    reactive().series(name, V::class.javaObjectType, layout)

/** Returns a rolling series of values of the type [V]; see [Table.series]. */
public inline fun <reified V : Any> Table<*>.series(name: String, ring: RollingSeries.Ring): ReactiveRollingSeries<V> =
    reactive().series(name, V::class.javaObjectType, ring)

/** Writes a value; see [TimeSeries.put]. */
public suspend fun <V : Any> ReactiveTimeSeries<V>.awaitPut(partitionKey: String, at: Instant, value: V): WriteResult =
    put(partitionKey, at, value).awaitSingle()

/** Writes values; see [TimeSeries.putAll]. */
public suspend fun <V : Any> ReactiveTimeSeries<V>.awaitPutAll(
    partitionKey: String,
    values: Map<Instant, V>,
): List<WriteResult> = putAll(partitionKey, values).awaitSingle()

/** Returns the values of the span of a time; see [TimeSeries.read]. */
public suspend fun <V : Any> ReactiveTimeSeries<V>.awaitRead(partitionKey: String, at: Instant): SortedMap<Instant, V> =
    read(partitionKey, at).awaitSingle()

/** Returns the values of a range of times; see [TimeSeries.read]. */
public suspend fun <V : Any> ReactiveTimeSeries<V>.awaitRead(
    partitionKey: String,
    from: Instant,
    to: Instant,
): SortedMap<Instant, V> = read(partitionKey, from, to).awaitSingle()

/** Writes a value; see [RollingSeries.put]. */
public suspend fun <V : Any> ReactiveRollingSeries<V>.awaitPut(
    partitionKey: String,
    at: Instant,
    value: V,
): WriteResult = put(partitionKey, at, value).awaitSingle()

/** Writes values; see [RollingSeries.putAll]. */
public suspend fun <V : Any> ReactiveRollingSeries<V>.awaitPutAll(
    partitionKey: String,
    values: Map<Instant, V>,
): WriteResult = putAll(partitionKey, values).awaitSingle()

/** Returns the values that are present at a time; see [RollingSeries.read]. */
public suspend fun <V : Any> ReactiveRollingSeries<V>.awaitRead(
    partitionKey: String,
    at: Instant,
): SortedMap<Instant, V> = read(partitionKey, at).awaitSingle()
