package io.stowline.kotlin

import io.stowline.Stowline
import io.stowline.projection.PartitionKey
import io.stowline.projection.RowKey
import io.stowline.queue.MessageLease
import io.stowline.table.TableOperation
import io.stowline.testkit.memory.MemoryStorage
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.nio.ByteBuffer
import java.time.Duration

data class Runner(@PartitionKey val race: String, @RowKey val bib: String, val name: String)

@JvmRecord
data class Order(val bib: String, val item: String)

/** The suspending twins over a storage in memory. */
class SuspendingTest {
    private val memory = MemoryStorage.create()
    private val storage: Stowline =
        Stowline.builder().connectionString(memory.connectionString()).httpClient(memory.httpClient()).build()
    private val ann = Runner("2026", "0001", "Ann")

    @AfterEach
    fun close() = storage.close()

    @Test
    fun `entities are inserted, found, changed and deleted`() = runBlocking<Unit> {
        val runners = storage.table<Runner>("runners")
        runners.awaitCreateIfMissing()

        assertThat(runners.awaitFind("2026", "0001")).isNull()
        runners.awaitInsert(ann)
        runners.awaitReplace(runners.awaitFind("2026", "0001")!!.with(ann.copy(name = "Anna")))
        runners.awaitModify("2026", "0001") { it.copy(name = it.name + "!") }

        assertThat(runners.awaitFind("2026", "0001")?.value()).isEqualTo(ann.copy(name = "Anna!"))
        assertThat(runners.awaitDeleteIfExists("2026", "0001")).isTrue()
        assertThat(runners.awaitDeleteIfExists("2026", "0001")).isFalse()
    }

    @Test
    fun `a transaction commits all of its operations`() = runBlocking<Unit> {
        val runners = storage.table<Runner>("runners")
        runners.awaitCreateIfMissing()

        val results = runners.awaitTransaction("2026") {
            insert(ann)
            insertOrReplace(ann.copy(bib = "0002"))
        }

        assertThat(results).hasSize(2)
        assertThat(runners.flow { partition("2026") }.map { it.bib }.toList()).containsExactly("0001", "0002")
    }

    @Test
    fun `a flow of operations is written, and a query is a flow that may end early`() = runBlocking<Unit> {
        val runners = storage.table<Runner>("runners")
        runners.awaitCreateIfMissing()
        val writer = runners.writer()

        val ends = writer.write((1..250).asFlow().map { TableOperation.insert(ann.copy(bib = "%04d".format(it))).with(it) })
            .toList()
        writer.awaitClose()

        assertThat(ends.map { it.item() }).containsExactlyInAnyOrderElementsOf(1..250)
        assertThat(runners.flow().take(3).toList()).hasSize(3)
        assertThat(runners.flow().toList()).hasSize(250)
    }

    @Test
    fun `messages are sent, received and handled by coroutines`() = runBlocking<Unit> {
        val orders = storage.queue<Order>("orders")
        orders.awaitCreateIfMissing()

        assertThat(orders.awaitReceive()).isNull()
        orders.awaitSend(Order("0001", "shirt"))
        orders.awaitDelete(orders.awaitReceive()!!)
        orders.awaitSendAll(listOf(Order("0002", "cap")))

        val handled = CompletableDeferred<Order>()
        val consumer = orders.consumeSuspending { lease: MessageLease<Order> ->
            delay(1)
            handled.complete(lease.body())
        }.start()
        assertThat(handled.await()).isEqualTo(Order("0002", "cap"))
        consumer.stop(Duration.ofSeconds(10))
        assertThat(orders.awaitApproximateCount()).isZero()
    }

    @Test
    fun `blobs are uploaded from flows and read as flows`() = runBlocking<Unit> {
        val photos = storage.container("photos")
        photos.awaitCreateIfMissing()

        photos.awaitUpload(flowOf("Hel", "lo").map { ByteBuffer.wrap(it.toByteArray()) }, "greeting") { contentType("text/plain") }

        assertThat(String(photos.awaitDownload("greeting"))).isEqualTo("Hello")
        assertThat(photos.flowContent("greeting").toList().sumOf { it.remaining() }).isEqualTo(5)
        assertThat(photos.flowBlobs().map { it.name() }.toList()).containsExactly("greeting")
        assertThat(photos.awaitFind("nothing")).isNull()
        assertThat(photos.awaitExists("greeting")).isTrue()
        photos.awaitDelete("greeting")
        assertThat(photos.awaitDeleteIfExists("greeting")).isFalse()
    }
}
