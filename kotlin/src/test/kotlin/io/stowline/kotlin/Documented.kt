package io.stowline.kotlin

import io.stowline.Stowline
import io.stowline.blob.BlobContainer
import io.stowline.error.PreconditionFailedException
import io.stowline.projection.PartitionKey
import io.stowline.projection.RowKey
import io.stowline.queue.MessageQueue
import io.stowline.records.RecordBlobs
import io.stowline.records.RecordWriter
import io.stowline.table.Table
import io.stowline.table.TableOperation
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.filter
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import java.nio.ByteBuffer
import java.nio.file.Path
import java.time.Duration
import java.time.Instant
import kotlin.time.Duration.Companion.seconds

/** The code of docs/kotlin.md, which DocumentedCodeTest compares with it. */
class Documented {
    data class Runner(
        @PartitionKey val race: String,
        @RowKey val bib: String,
        val name: String,
        val age: Int = 18,
    )

    suspend fun register(storage: Stowline) {
        val runners = storage.table<Runner>("runners")
        runners.awaitCreateIfMissing()
        runners.awaitInsert(Runner("2026", "0001", "Ann", 41))

        val ann = runners.awaitFind("2026", "0001") ?: return
        runners.awaitReplace(ann.with(ann.value().copy(age = 42)))      // fails if it has changed since

        runners.flow { partition("2026").where(runners.property(Runner::age).atLeast(40)) }
            .collect { println(it) }
    }

    data class Member(
        @PartitionKey val club: String,
        @RowKey val id: String,
        val name: String,               // refused by its name if it is missing
        val nick: String?,              // null
        val age: Int = 18,              // 18
        val greeting: String = "Hi $name",
    )

    data class Names(val name: String)

    suspend fun queries(runners: Table<Runner>) {
        val veterans = runners.query { partition("2026").where(runners.property(Runner::age).atLeast(60)) }
        val all: List<Runner> = veterans.awaitList()
        val first: Runner? = veterans.awaitFirst()
        val names = runners.flow { view<Names>() }.map { it.name }.take(10).toList()
        val page = veterans.awaitPage()
        val next = page.nextToken().map { token -> veterans.flowPages(token) }
        println("${all.size} $first $names ${next.isPresent}")
    }

    suspend fun writes(runners: Table<Runner>, ann: Runner, bob: Runner) {
        runners.awaitTransaction("2026") {
            insert(ann)
            insertOrReplace(bob)
        }
        runners.awaitMerge("2026", "0001") { set("age", 43) }
        runners.awaitModify("2026", "0001") { it.copy(age = it.age + 1) }
        try {
            runners.awaitInsert(ann)
        } catch (refused: io.stowline.error.ConflictException) {
            println(refused.failure().errorCode())      // EntityAlreadyExists
        }
    }

    suspend fun load(runners: Table<Runner>, source: Flow<Runner>) {
        runners.writer().useSuspending { writer ->
            writer.write(source.map { TableOperation.insertOrReplace(it).with(it.bib) })
                .filter { !it.succeeded() }
                .collect { println("${it.item()} failed") }
        }
    }

    @JvmRecord
    data class Order(val bib: String, val item: String)

    suspend fun messages(storage: Stowline, runners: Table<Runner>) {
        val orders = storage.queue<Order>("orders")
        orders.awaitSend(Order("0001", "shirt")) { delay(Duration.ofMinutes(1)) }

        val consumer = orders.consumeSuspending(Dispatchers.IO) { message ->
            runners.awaitFind("2026", message.body().bib) ?: message.awaitPoison("no such runner")
        }.concurrency(32).start()
        consumer.awaitStop(Duration.ofSeconds(20))
    }

    suspend fun photos(photos: BlobContainer, content: Flow<ByteBuffer>) {
        photos.awaitUpload(content, "2026/0001.jpg") { contentType("image/jpeg").overwrite() }
        photos.flowContent("2026/0001.jpg").collect { buffer -> println(buffer.remaining()) }
        val head = photos.awaitDownload("2026/0001.jpg") { range(0, 512) }
        val names = photos.flowBlobs("2026/").map { it.name() }.toList()
        val report = photos.awaitUploadDirectory(Path.of("photos"), "2026/").awaitEnd()
        val url = photos.awaitSas("2026/0001.jpg") { canRead().validFor(Duration.ofMinutes(10)) }.uri()
        println("${head.size} $names $report $url")
    }

    suspend fun leases(photos: BlobContainer) {
        photos.awaitLease("2026/index", Duration.ofSeconds(30)).useSuspending { lease ->
            photos.withLease(lease).awaitUpload("[]".toByteArray(), "2026/index") { overwrite() }
        }
        photos.reactive().leader("leader").awaitWhileLeading { term ->
            println("leader of the term ${term.number()}")
        }
    }

    suspend fun limits(runners: Table<Runner>, ann: Runner, bob: Runner) {
        withTimeout(5.seconds) { runners.awaitFind("2026", "0001") }
        coroutineScope {
            launch { runners.awaitInsertOrReplace(ann) }
            launch { runners.awaitInsertOrReplace(bob) }        // a failure of one cancels the other
        }
        withContext(NonCancellable) { runners.awaitDelete(bob) }
    }

    suspend fun records(container: BlobContainer, visits: Flow<Visit>) {
        val blobs = RecordBlobs.`in`(container, "visits/")
        val format = jsonRecords<Visit>()
        blobs.writer(format).useSuspending { writer -> writer.awaitWriteAll(visits) }
        blobs.flow(format, Instant.now().minusSeconds(3600), Instant.now()).collect { println(it) }
    }

    @JvmRecord
    data class Visit(val page: String, val seconds: Int)
}
