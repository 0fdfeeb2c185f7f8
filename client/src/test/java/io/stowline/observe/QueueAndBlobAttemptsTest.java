package io.stowline.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.observe.AttemptEvent.Condition;
import io.stowline.observe.AttemptRecorder.SeenAttempt;
import io.stowline.queue.internal.QueueBench;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("the event of each attempt of a request to a queue or a container")
@Timeout(60)
class QueueAndBlobAttemptsTest {

    private final AttemptRecorder recorder = new AttemptRecorder();
    private final QueueBench queue =
            new QueueBench(new Bench(Service.QUEUE, timer -> Bench.limits(4, timer), recorder));

    @Test
    @DisplayName("a receive of 0 and one of 5 messages, which cost what they want")
    void receive() throws Exception {
        queue.responds(200, QueueBench.messages()).responds(200, QueueBench.messages("a", "b", "c", "d", "e"));
        assertThat(queue.start(queue.client().receive(32, Duration.ofSeconds(30)))
                        .value())
                .isEmpty();
        assertThat(queue.start(queue.client().receive(32, Duration.ofSeconds(30)))
                        .value())
                .hasSize(5);

        assertThat(recorder.seen())
                .extracting(
                        SeenAttempt::service,
                        SeenAttempt::operation,
                        SeenAttempt::container,
                        SeenAttempt::partition,
                        SeenAttempt::entities,
                        SeenAttempt::returned,
                        SeenAttempt::write)
                .containsExactly(
                        tuple("queue", "receive", "orders", null, 32, 0, false),
                        tuple("queue", "receive", "orders", null, 32, 5, false));
    }

    @Test
    @DisplayName("a send has its bytes, and a refusal its code")
    void send() throws Exception {
        queue.responds(201, QueueBench.sent("m")).responds(404, QueueBench.error("QueueNotFound"));
        queue.start(queue.client().send("text", null, null)).value();
        queue.start(queue.client().send("text", null, null)).failure();

        assertThat(recorder.seen())
                .extracting(
                        SeenAttempt::operation,
                        SeenAttempt::write,
                        SeenAttempt::returned,
                        SeenAttempt::status,
                        SeenAttempt::errorCode,
                        SeenAttempt::reason)
                .containsExactly(
                        tuple("send", true, -1, 201, null, AttemptReason.SUCCESS),
                        tuple("send", true, -1, 404, "QueueNotFound", AttemptReason.REFUSED));
        assertThat(recorder.seen().get(0).bytesSent())
                .isEqualTo(queue.wire().sent().get(0).body().length());
    }

    @Test
    @DisplayName("a request of an SDK client on the way of unwrap() has its target by its address")
    void unwrapped() throws Exception {
        queue.responds(200, QueueBench.messages("a"));
        queue.start(queue.client().applicationClient().receiveMessages(2).collectList())
                .value();

        SeenAttempt seen = recorder.only();
        assertThat(seen.container()).isEqualTo("orders");
        assertThat(seen.operation()).isEqualTo(seen.caller()).startsWith("dequeue");
        assertThat(seen.entities()).isEqualTo(2);
        assertThat(seen.returned()).isEqualTo(-1);
        assertThat(seen.status()).isEqualTo(200);
    }

    private static BlobStubResponse blobs(StubRequest request) {
        if (request.is("GET", "")) {
            return BlobStubResponse.of(206)
                    .with("x-ms-blob-type", "BlockBlob")
                    .with("Content-Range", "bytes 0-6/7")
                    .body("content".getBytes());
        }
        return request.method().equals("HEAD") || request.method().equals("GET")
                ? BlobStubResponse.refusal(404, "BlobNotFound")
                : BlobStubResponse.of(201);
    }

    @Test
    @DisplayName("an upload in blocks has an attempt for each block and the list, the first over a new connection")
    void uploadInBlocks() {
        try (StubBlobs blobs = new StubBlobs(QueueAndBlobAttemptsTest::blobs, settings -> settings, recorder)) {
            blobs.container().upload(new byte[2_500], "a/b.bin", with -> with.blockSize(1_000)
                    .parallelism(1));
        }

        List<SeenAttempt> writes =
                recorder.seen().stream().filter(SeenAttempt::write).toList();
        List<SeenAttempt> blocks = writes.subList(0, 3);
        assertThat(blocks)
                .extracting(
                        SeenAttempt::account,
                        SeenAttempt::service,
                        SeenAttempt::caller,
                        SeenAttempt::container,
                        SeenAttempt::partition,
                        SeenAttempt::write)
                .containsOnly(tuple("acct", "blob", "upload", "photos", "a/b.bin", true));
        assertThat(blocks).extracting(SeenAttempt::bytesSent).containsExactlyInAnyOrder(1_000L, 1_000L, 500L);
        assertThat(writes.get(3).condition()).isEqualTo(Condition.IF_NONE_MATCH);
        assertThat(writes.get(3).etag()).isEqualTo("\"e1\"");
        assertThat(recorder.seen().get(0).connectNanos())
                .isPositive()
                .isLessThanOrEqualTo(recorder.seen().get(0).elapsedNanos());
        assertThat(writes.get(3).connectNanos()).isZero();
    }

    @Test
    @DisplayName("a ranged download has the bytes that arrived")
    void download() {
        try (StubBlobs blobs = new StubBlobs(QueueAndBlobAttemptsTest::blobs, settings -> settings, recorder)) {
            assertThat(blobs.container().download("a.txt")).isEqualTo("content".getBytes());
        }

        SeenAttempt seen = recorder.only();
        assertThat(seen.partition()).isEqualTo("a.txt");
        assertThat(seen.write()).isFalse();
        assertThat(seen.status()).isEqualTo(206);
        assertThat(seen.bytesReceived()).isEqualTo(7);
        assertThat(seen.bytesSent()).isZero();
        assertThat(seen.returned()).isEqualTo(-1);
    }

    @Test
    @DisplayName("an operation that an SDK client carries out has its container and blob by the address")
    void bySdkClient() {
        try (StubBlobs blobs = new StubBlobs(request -> BlobStubResponse.of(202), settings -> settings, recorder)) {
            blobs.container().delete("a b/ü.txt");
        }

        SeenAttempt seen = recorder.only();
        assertThat(Arrays.asList(seen.container(), seen.partition(), seen.operation()))
                .containsExactly("photos", "a b/ü.txt", "delete");
        assertThat(seen.write()).isTrue();
    }
}
