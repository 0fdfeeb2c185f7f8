package io.stowline.kotlin

import io.stowline.Stowline
import io.stowline.error.OutcomeUnknownException
import io.stowline.retry.Backoff
import io.stowline.table.TableOperation
import io.stowline.testkit.FaultProxy
import io.stowline.testkit.FaultProxyExtension
import io.stowline.testkit.RequestHold
import io.stowline.testkit.RequestMatch.requests
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.count
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension
import java.nio.ByteBuffer
import java.time.Duration
import java.util.UUID

/** The twins over Azurite, through a network that loses responses, resets connections and stalls. */
class BadNetworkTest {
    companion object {
        @JvmField
        @RegisterExtension
        val network: FaultProxyExtension = FaultProxyExtension.shared()
    }

    private val suffix = UUID.randomUUID().toString().take(8)
    private val ann = Runner("2026", "0001", "Ann")
    private lateinit var storage: Stowline

    @BeforeEach
    fun connect() {
        storage = Stowline.builder().connectionString(network.storage().connectionString())
            .retry { it.backoff(Backoff.fixed(Duration.ofMillis(1))) }
            .build()
    }

    @AfterEach
    fun close() = storage.close()

    @Test
    fun `lost responses of rows and transactions are resolved`(proxy: FaultProxy) = runBlocking<Unit> {
        val runners = storage.table<Runner>("runners$suffix")
        runners.awaitCreate()
        val lost = proxy.`when`(requests().method("POST").path("**runners$suffix").nth(1)).loseResponse()
        val batch = proxy.`when`(requests().method("POST").path("**\$batch").nth(1)).loseResponse()

        val inserted = runners.awaitInsert(ann)
        val committed = runners.awaitTransaction("2026") { (2..20).forEach { insert(ann.copy(bib = "%04d".format(it))) } }

        assertThat(inserted.mayHaveRepeated()).isTrue()
        assertThat(committed).hasSize(19)
        assertThat(lost.hits()).isOne()
        assertThat(batch.hits()).isOne()
        assertThat(runners.flow().count()).isEqualTo(20)
        runners.awaitDropIfExists()
    }

    @Test
    fun `a writer over a bad network writes each row once`(proxy: FaultProxy) = runBlocking<Unit> {
        val runners = storage.table<Runner>("writer$suffix")
        runners.awaitCreate()
        proxy.`when`(requests().method("POST").path("**\$batch").chance(0.3)).loseResponse()

        val results = runners.writer().useSuspending { writer ->
            writer.write((1..1_000).asFlow().map { TableOperation.insert(ann.copy(bib = "%04d".format(it))).with(it) })
                .toList()
        }

        assertThat(results.map { it.item() }).containsExactlyInAnyOrderElementsOf(1..1_000)
        assertThat(results.mapNotNull { it.error() }).allSatisfy {
            assertThat(it).isInstanceOf(OutcomeUnknownException::class.java)
        }
        assertThat(runners.flow().count()).isEqualTo(1_000)
        runners.awaitDropIfExists()
    }

    @Test
    fun `blobs are uploaded and read over resets`(proxy: FaultProxy) = runBlocking<Unit> {
        val photos = storage.container("photos$suffix")
        photos.awaitCreate()
        proxy.`when`(requests().method("PUT").path("**/large").nth(1)).loseResponse()
        proxy.`when`(requests().method("GET").path("**/large").nth(1)).reset()
        val content = ByteArray(3 shl 20) { it.toByte() }

        photos.awaitUpload((0 until 3).asFlow().map { ByteBuffer.wrap(content, it shl 20, 1 shl 20) }, "large")
        val read = photos.flowContent("large").toList()

        val joined = ByteArray(content.size)
        val target = ByteBuffer.wrap(joined)
        read.forEach(target::put)
        assertThat(joined).isEqualTo(content)
        photos.awaitDropIfExists()
    }

    @Test
    fun `a request that stalls ends with its coroutine, and its connection with it`(proxy: FaultProxy) =
        runBlocking<Unit> {
            val runners = storage.table<Runner>("stalled$suffix")
            runners.awaitCreate()
            val hold = RequestHold()
            proxy.`when`(requests().method("GET").nth(1)).holdBefore(hold)
            val read = launch(Dispatchers.Default) { runners.awaitFind("2026", "0001") }
            hold.awaitArrived(Duration.ofSeconds(20))

            read.cancel()
            read.join()

            hold.release()
            assertThat(withTimeoutOrNull(20_000) { runners.awaitFind("2026", "0001") }).isNull()
            runners.awaitInsert(ann)
            assertThat(runners.awaitFind("2026", "0001")?.value()).isEqualTo(ann)
            runners.awaitDropIfExists()
        }
}
