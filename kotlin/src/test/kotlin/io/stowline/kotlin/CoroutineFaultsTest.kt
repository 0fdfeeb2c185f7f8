package io.stowline.kotlin

import io.micrometer.core.instrument.simple.SimpleMeterRegistry
import io.micrometer.observation.Observation
import io.micrometer.observation.ObservationHandler
import io.micrometer.observation.ObservationRegistry
import io.stowline.Stowline
import io.stowline.blob.LeaderTerm
import io.stowline.error.ConflictException
import io.stowline.error.PreconditionFailedException
import io.stowline.error.TransactionFailedException
import io.stowline.observe.MicrometerListener
import io.stowline.queue.QueueConsumer
import io.stowline.table.TableOperation
import io.stowline.testkit.memory.MemoryStorage
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactor.ReactorContext
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.nio.ByteBuffer
import java.time.Duration
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.atomic.AtomicInteger

/** Lost responses, cancellations, time limits and failures, through the suspending twins. */
@Timeout(60)
class CoroutineFaultsTest {
    private val memory = MemoryStorage.create()
    private val client = HeldClient(memory.httpClient())
    private val observed = LinkedBlockingQueue<Observation.Context>()
    private val observations = ObservationRegistry.create().apply {
        observationConfig().observationHandler(object : ObservationHandler<Observation.Context> {
            override fun onStart(context: Observation.Context) {
                observed.add(context)
            }

            override fun supportsContext(context: Observation.Context) = true
        })
    }
    private val storage: Stowline = Stowline.builder()
        .connectionString(memory.connectionString())
        .httpClient(client)
        .listener(MicrometerListener.of(observations, SimpleMeterRegistry()))
        .build()
    private val runners = storage.table<Runner>("runners")
    private val orders = storage.queue<Order>("orders")
    private val photos = storage.container("photos")
    private val ann = Runner("2026", "0001", "Ann")

    @BeforeEach
    fun create() = runBlocking<Unit> {
        runners.awaitCreate()
        orders.awaitCreate()
        photos.awaitCreate()
    }

    @AfterEach
    fun close() = storage.close()

    private suspend fun failure(call: suspend () -> Any?): Throwable = try {
        throw AssertionError("no failure but ${call()}")
    } catch (failure: Exception) {
        failure
    }

    @Test
    fun `a lost response is resolved as by the other faces`() = runBlocking<Unit> {
        memory.loseNextResponse("POST", "/runners")

        val inserted = runners.awaitInsert(ann)
        assertThat(inserted.mayHaveRepeated()).isTrue()
        memory.loseNextResponse("DELETE", "runners")
        assertThat(runners.awaitDeleteIfExists("2026", "0001")).isTrue()
        memory.loseNextResponse("PUT", "/photos/greeting")
        photos.awaitUpload("Hello".toByteArray(), "greeting")
        assertThat(String(photos.awaitDownload("greeting"))).isEqualTo("Hello")
    }

    @Test
    fun `exceptions are the library's own, with their facts`() = runBlocking<Unit> {
        runners.awaitInsert(ann)

        val conflict = failure { runners.awaitInsert(ann) }
        assertThat(conflict).isExactlyInstanceOf(ConflictException::class.java)
        assertThat((conflict as ConflictException).failure().errorCode()).isEqualTo("EntityAlreadyExists")
        val read = runners.awaitFind("2026", "0001")!!
        runners.awaitReplace(read.with(ann.copy(name = "Anna")))
        assertThat(failure { runners.awaitReplace(read) }).isExactlyInstanceOf(PreconditionFailedException::class.java)
        val failed = failure { runners.awaitTransaction("2026") { insert(ann.copy(bib = "2")); insert(ann) } }
        assertThat(failed).isExactlyInstanceOf(TransactionFailedException::class.java)
        assertThat(runners.awaitFind("2026", "2")).isNull()
        assertThat(failure { runners.awaitTransaction("2027") { insert(ann) } })
            .isInstanceOf(IllegalArgumentException::class.java)
    }

    @Test
    fun `a cancelled coroutine cancels its request, and the client goes on`() = runBlocking<Unit> {
        client.held = { it.httpMethod.toString() == "POST" }
        val insert = launch(Dispatchers.Default) { runners.awaitInsert(ann) }
        client.arrived.await()

        insert.cancelAndJoin()

        client.cancelled.await()
        client.held = { false }
        runners.awaitInsert(ann)
        assertThat(runners.flow().toList()).containsExactly(ann)
    }

    @Test
    fun `a cancelled coroutine leaves its transaction, which goes on, and the next one follows it`() =
        runBlocking<Unit> {
            client.held = { "batch" in it.url.path }
            val commit = launch(Dispatchers.Default) {
                runners.awaitTransaction("2026") { (1..3).forEach { insert(ann.copy(bib = "$it")) } }
            }
            client.arrived.await()

            commit.cancelAndJoin()

            assertThat(runners.query { partition("2026") }.awaitCount()).isZero()
            client.held = { false }
            val next = async(Dispatchers.Default) { runners.awaitTransaction("2026") { insert(ann) } }
            client.released.complete(Unit)
            assertThat(next.await()).hasSize(1)
            assertThat(runners.flow().map { it.bib }.toList()).containsExactly("0001", "1", "2", "3")
        }

    @Test
    fun `withTimeout ends a request that has no response`() = runBlocking<Unit> {
        client.held = { it.httpMethod.toString() == "GET" }

        assertThat(failure { withTimeout(50) { runners.awaitFind("2026", "0001") } })
            .isInstanceOf(TimeoutCancellationException::class.java)
        client.cancelled.await()
    }

    @Test
    fun `one failure of several ends the others with their scope`() = runBlocking<Unit> {
        runners.awaitInsert(ann)
        client.held = { it.httpMethod.toString() == "GET" }

        val failure = failure {
            coroutineScope {
                launch(Dispatchers.Default) { runners.awaitFind("2026", "0001") }
                launch(Dispatchers.Default) {
                    client.arrived.await()
                    runners.awaitInsert(ann)
                }
            }
        }

        assertThat(failure).isInstanceOf(ConflictException::class.java)
        client.cancelled.await()
    }

    @Test
    fun `a flow that is abandoned reads no further page`() = runBlocking<Unit> {
        runners.writer().useSuspending { writer ->
            writer.write(flow { repeat(500) { emit(TableOperation.insert(ann.copy(bib = "%04d".format(it))).with(it)) } })
                .toList()
        }
        val before = memory.requests().size

        assertThat(runners.flow { pageSize(10) }.take(5).toList()).hasSize(5)
        assertThat(runners.query { pageSize(10) }.flowPages().first().values()).hasSize(10)

        assertThat(memory.requests().size - before).isBetween(2, 20)
        val pages = runners.query { pageSize(100) }.flowPages().toList()
        assertThat(pages.map { it.values().size }).containsExactly(100, 100, 100, 100, 100)
        val rest = runners.query { pageSize(100) }.flowPages(pages[3].nextToken().get()).toList()
        assertThat(rest.flatMap { it.values() }).isEqualTo(pages[4].values())
    }

    @Test
    fun `a flow of results that is abandoned cancels the flow of operations`() = runBlocking<Unit> {
        val emitted = AtomicInteger()
        val endless: Flow<TableOperation<Runner, Int>> = flow {
            while (true) {
                val number = emitted.incrementAndGet()
                emit(TableOperation.insert(ann.copy(bib = "$number")).with(number))
            }
        }

        runners.writer().useSuspending { writer ->
            assertThat(writer.write(endless).take(10).toList()).hasSize(10)
        }

        val end = emitted.get()
        delay(20)
        assertThat(emitted.get()).isEqualTo(end)
    }

    @Test
    fun `the failure of a flow that is uploaded is the failure of the upload, and nothing is stored`() =
        runBlocking<Unit> {
            val broken = flow {
                emit(ByteBuffer.wrap(ByteArray(10)))
                throw IllegalStateException("the source is broken")
            }

            assertThat(failure { photos.awaitUpload(broken, "greeting") })
                .isInstanceOf(IllegalStateException::class.java).hasMessageContaining("the source is broken")
            assertThat(photos.awaitFind("greeting")).isNull()
        }

    @Test
    fun `content is requested at the pace of its collector`() = runBlocking<Unit> {
        photos.awaitUpload(ByteArray(20 shl 20), "large")
        val before = memory.requests().size

        val first = photos.flowContent("large") { rangeSize(1 shl 20).parallelism(1) }.first()

        assertThat(first.remaining()).isPositive()
        assertThat(memory.requests().size - before).isLessThan(10)
        val part = photos.awaitDownload("large") { range(5, 10) }
        assertThat(part).hasSize(10)
    }

    @Test
    fun `what a writer has accepted is written although the coroutine is cancelled`() = runBlocking<Unit> {
        val accepted = CompletableDeferred<Unit>()
        val job = launch(Dispatchers.Default) {
            runners.writer().useSuspending { writer ->
                writer.insert(ann)
                accepted.complete(Unit)
                awaitCancellation()
            }
        }
        accepted.await()

        job.cancelAndJoin()

        assertThat(runners.awaitFind("2026", "0001")?.value()).isEqualTo(ann)
    }

    @Test
    fun `a failure of the block goes before that of the close`() = runBlocking<Unit> {
        runners.awaitInsert(ann)

        val failure = failure {
            runners.writer().useSuspending<Runner, Unit> { writer ->
                writer.insert(ann)
                throw IllegalStateException("mine")
            }
        }

        assertThat(failure).isInstanceOf(IllegalStateException::class.java).hasMessage("mine")
        assertThat((failure.suppressed + (failure.cause?.suppressed ?: arrayOf())).toList()).isNotEmpty()
        assertThat(failure { runners.writer().useSuspending { it.insert(ann) } }).isNotNull()
    }

    private fun failing(handler: suspend () -> Unit): Pair<Throwable, Long> = runBlocking {
        orders.awaitSend(Order("0001", "shirt"))
        val failures = LinkedBlockingQueue<QueueConsumer.Failure>()
        val consumer = orders.consumeSuspending { handler() }
            .onFailure {
                failures.add(it)
                QueueConsumer.FailureAction.POISON
            }
            .start()
        val failure = failures.take()
        consumer.awaitStop(Duration.ofSeconds(20))
        failure.error() to orders.poison().awaitCount()
    }

    @Test
    fun `a handler that throws a cancellation of its own has failed`() {
        val (error, poisoned) = failing { throw CancellationException("mine") }

        assertThat(error).isInstanceOf(CancellationException::class.java).hasMessage("mine")
        assertThat(poisoned).isOne()
    }

    @Test
    fun `a handler whose time is over has failed`() {
        val (error, poisoned) = failing { withTimeout(10) { awaitCancellation() } }

        assertThat(error).isInstanceOf(TimeoutCancellationException::class.java)
        assertThat(poisoned).isOne()
    }

    @Test
    fun `a handler that throws a fatal error has failed, and so has one whose child coroutine throws it`() {
        val fatal =
            listOf(NoClassDefFoundError(), ExceptionInInitializerError(), StackOverflowError(), OutOfMemoryError("mine"))

        for (error in fatal) {
            assertThat(failing { throw error }.first).hasCause(error).hasMessageContaining("the coroutine threw")
            assertThat(failing { CoroutineScope(currentCoroutineContext()).launch { throw error }.join() }.first)
                .isInstanceOf(IllegalStateException::class.java).hasRootCause(error)
        }
        assertThat(failing { throw NotImplementedError("mine") }.first).isInstanceOf(NotImplementedError::class.java)
    }

    @Test
    fun `a context with a job is refused at the call, with what to pass`() = runBlocking<Unit> {
        photos.awaitUpload(ByteArray(0), "leader")
        val election = photos.reactive().leader("leader")

        for (job in listOf(Job(), NonCancellable, currentCoroutineContext())) {
            for (refused in listOf(
                failure { orders.consumeSuspending(job) { } },
                failure { storage.shardedQueue<Order>("shards") { sendTo(2) }.consumeSuspending(job) { } },
                failure { election.awaitWhileLeading(job) { } },
                failure { election.awaitTryLeading(job) { } },
            )) {
                assertThat(refused).isInstanceOf(IllegalArgumentException::class.java)
                    .hasMessageContaining("the context has a Job").hasMessageContaining("context.minusKey(Job)")
            }
        }
        orders.consumeSuspending(currentCoroutineContext().minusKey(Job)) { }
    }

    @Test
    fun `a handler fails by the exception of its request`() {
        val (error, _) = failing { runners.awaitReplace(runners.awaitFind("2026", "1") ?: throw NoSuchElementException()) }

        assertThat(error).isInstanceOf(NoSuchElementException::class.java)
    }

    @Test
    fun `a handler that outlives the stop is cancelled, and its message stays`() = runBlocking<Unit> {
        orders.awaitSend(Order("0001", "shirt"))
        val begun = CompletableDeferred<Unit>()
        val ended = CompletableDeferred<Throwable>()
        val consumer = orders.consumeSuspending {
            begun.complete(Unit)
            try {
                awaitCancellation()
            } catch (cancellation: CancellationException) {
                ended.complete(cancellation)
                throw cancellation
            }
        }.start()
        begun.await()

        val report = consumer.awaitStop(Duration.ofMillis(1))

        assertThat(ended.await()).isInstanceOf(CancellationException::class.java)
        assertThat(report.completed()).isZero()
        assertThat(orders.awaitApproximateCount()).isOne()
        assertThat(orders.poison().awaitCount()).isZero()
    }

    @Test
    fun `a handler that awaits the stop of its consumer, or the close of its client, fails at once`() =
        runBlocking<Unit> {
            orders.awaitSend(Order("0001", "shirt"))
            val own = CompletableDeferred<QueueConsumer>()
            val failures = CompletableDeferred<List<Throwable>>()
            val consumer = orders.consumeSuspending {
                val consumer = own.await()
                delay(1)
                failures.complete(
                    listOf(failure { consumer.awaitStop(Duration.ofHours(1)) }, failure { storage.awaitClose() }),
                )
            }.start()
            own.complete(consumer)

            assertThat(failures.await()).hasSize(2).hasOnlyElementsOfType(IllegalStateException::class.java)
            consumer.awaitStop(Duration.ofSeconds(20))
            assertThat(consumer.stats().completed()).isOne()
        }

    @Test
    fun `a handler whose time is over by the consumer's setting is cancelled`() = runBlocking<Unit> {
        orders.awaitSend(Order("0001", "shirt"))
        val cancelled = CompletableDeferred<Unit>()
        val consumer = orders.consumeSuspending {
            try {
                awaitCancellation()
            } finally {
                cancelled.complete(Unit)
            }
        }.handlerTimeout(Duration.ofMillis(100)).start()

        cancelled.await()
        consumer.awaitStop(Duration.ofSeconds(20))
        assertThat(consumer.stats().completed()).isZero()
        assertThat(consumer.stats().retried()).isPositive()
        assertThat(orders.awaitApproximateCount()).isOne()
    }

    @Test
    fun `a handler ends its message by the verbs of its lease`() = runBlocking<Unit> {
        val kept = orders.withEnvelope { it }
        kept.awaitSendAll(listOf(Order("1", "complete"), Order("2", "poison"), Order("3", "retry")))
        val done = LinkedBlockingQueue<String>()
        val consumer = kept.consumeSuspending { lease ->
            lease.awaitCheckpoint("half")
            when (lease.body().item) {
                "complete" -> lease.awaitComplete()
                "poison" -> lease.awaitPoison("unwanted")
                else -> lease.awaitRetryIn(Duration.ofHours(1))
            }
            done.add(lease.body().bib)
        }.start()
        repeat(3) { done.take() }
        consumer.awaitStop(Duration.ofSeconds(20))

        assertThat(orders.awaitApproximateCount()).isOne()
        assertThat(kept.poison().awaitPeek(5).map { it.body().bib }).containsExactly("2")
        assertThat(kept.poison().awaitRedrive { it.body().bib == "2" }).isOne()
    }

    @Test
    fun `the observation of a handler is the parent of what its coroutine requests`() = runBlocking<Unit> {
        orders.awaitSend(Order("0001", "shirt"))
        val handled = CompletableDeferred<Boolean>()
        val consumer = orders.consumeSuspending {
            delay(1)
            runners.awaitInsert(ann)
            handled.complete(currentCoroutineContext()[ReactorContext] != null)
        }.start()
        assertThat(handled.await()).isTrue()
        consumer.awaitStop(Duration.ofSeconds(20))

        val inserts = observed.filter { "insert" in "${it.contextualName}" }
        assertThat(inserts).isNotEmpty().allSatisfy {
            assertThat("${it.parentObservation?.contextView?.contextualName}").contains("handle")
        }
    }

    @Test
    fun `a leader works in a coroutine, which its caller can cancel`() = runBlocking<Unit> {
        photos.awaitUpload(ByteArray(0), "leader")
        val election = photos.reactive().leader("leader")
        val leading = CompletableDeferred<LeaderTerm>()
        val ended = CompletableDeferred<Unit>()
        val job = launch(Dispatchers.Default) {
            election.awaitWhileLeading { term ->
                leading.complete(term)
                try {
                    awaitCancellation()
                } finally {
                    ended.complete(Unit)
                }
            }
        }
        val fenced = leading.await().awaitFence(photos, "state")
        fenced.awaitUpload("one".toByteArray())
        assertThat(election.awaitTryLeading { }).isFalse()

        job.cancelAndJoin()

        ended.await()
        assertThat(String(photos.awaitDownload("state"))).isEqualTo("one")
        val failure = failure { election.awaitWhileLeading { throw IllegalStateException("mine") } }
        assertThat(failure).isInstanceOf(IllegalStateException::class.java).hasMessage("mine")
    }

    @Test
    fun `a lease ends with its block`() = runBlocking<Unit> {
        photos.awaitUpload(ByteArray(0), "leased")

        photos.awaitLease("leased", Duration.ofSeconds(15)).useSuspending { lease ->
            assertThat(lease.isHeld).isTrue()
            assertThat(failure { photos.awaitLease("leased", Duration.ofSeconds(15)) }).isNotNull()
        }

        photos.awaitLease("leased", Duration.ofSeconds(15)).awaitRelease()
    }

    @Test
    fun `many coroutines read at once`() = runBlocking<Unit> {
        runners.awaitInsert(ann)

        val reads = (1..200).map { async(Dispatchers.Default) { runners.awaitFind("2026", "0001")?.value() } }

        assertThat(reads.map { it.await() }).containsOnly(ann)
    }
}
