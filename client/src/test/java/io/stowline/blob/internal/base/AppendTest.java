package io.stowline.blob.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.blob.AppendBlob;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;

/** The requests of an append, and the handling of a blob whose end is elsewhere. */
@Timeout(60)
class AppendTest {

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final StubBlobs blobs = new StubBlobs(this::usual);
    private final AppendBlob appends = blobs.container().appendBlob("log.txt");

    @AfterEach
    void close() {
        blobs.close();
    }

    private synchronized BlobStubResponse usual(StubRequest request) {
        if (request.method().equals("GET")) {
            return new StoredBlob(log.toByteArray()).etag("\"e1\"").apply(request);
        }
        if (request.method().equals("HEAD")) {
            return BlobStubResponse.of(200)
                    .with("Content-Length", Integer.toString(log.size()))
                    .with("x-ms-blob-type", "AppendBlob");
        }
        if (!request.is("PUT", "appendblock")) {
            return BlobStubResponse.of(201);
        }
        if (!request.header("x-ms-blob-condition-appendpos").equals(Integer.toString(log.size()))) {
            return BlobStubResponse.refusal(412, "AppendPositionConditionNotMet");
        }
        log.writeBytes(request.body());
        return BlobStubResponse.of(201)
                .with("x-ms-blob-append-offset", Integer.toString(log.size() - request.body().length));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("OUTCOME-6: every append names its position, which is asked for only when it is not known")
    void knowsItsPosition() {
        log.writeBytes(bytes("before"));
        BlobWriteResult first = appends.append(bytes("one"));
        BlobWriteResult second = appends.append(bytes("two"));

        assertThat(first.offset()).isEqualTo(6);
        assertThat(first.end()).isEqualTo(9);
        assertThat(first.etag()).isEqualTo("\"e1\"");
        assertThat(second.offset()).isEqualTo(9);
        assertThat(log).hasToString("beforeonetwo");
        assertThat(blobs.requested("HEAD", "")).hasSize(1);
        List<StubRequest> sent = blobs.requested("PUT", "appendblock");
        assertThat(sent)
                .extracting(a -> a.header("x-ms-blob-condition-appendpos"))
                .containsExactly("6", "9");
        assertThat(sent.get(0).header("Content-MD5"))
                .isEqualTo(Base64.getEncoder().encodeToString(Md5.of(ByteBuffer.wrap(bytes("one")))));
    }

    @Test
    @DisplayName(
            "OUTCOME-6: another writer's append is told with both positions, and the next append goes to the new end")
    void tellsOfAnotherWriter() {
        appends.append(bytes("one"));
        log.writeBytes(bytes("other"));

        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> appends.append(bytes("two")))
                .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("AppendPositionConditionNotMet"))
                .satisfies(e -> assertThat(e.failure().unansweredAttempts()).isZero())
                .satisfies(e -> assertThat(e.failure().resource()).isEqualTo("photos/log.txt"))
                .withMessageContaining("for position 3")
                .withMessageContaining("the blob has 8 bytes");
        assertThat(appends.append(bytes("two")).offset()).isEqualTo(8);
        assertThat(log).hasToString("oneothertwo");
    }

    @Test
    @DisplayName(
            "OUTCOME-6: an append whose response was lost is sent again for the same position, and its bytes are found"
                    + " there")
    void neverAppendsTwice() {
        AtomicInteger appended = new AtomicInteger();
        blobs.respond(request -> {
            BlobStubResponse reported = usual(request);
            return request.is("PUT", "appendblock") && appended.getAndIncrement() == 0
                    ? BlobStubResponse.refusal(500, "InternalError")
                    : reported;
        });

        assertThat(appends.append(bytes("one")))
                .isEqualTo(BlobWriteResult.recoveredAppend(Instant.parse("2024-02-29T12:00:00Z"), 0, 3));
        assertThat(blobs.requested("PUT", "appendblock")).hasSize(2).allSatisfy(sent -> assertThat(sent.body())
                .isEqualTo(bytes("one")));
        assertThat(appends.append(bytes("two")).offset()).isEqualTo(3);
        assertThat(log).hasToString("onetwo");
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("OUTCOME-6: appends through one object follow one another, whatever becomes of those before")
    void takesTurns() {
        List<BlobWriteResult> done = Flux.range(0, 50)
                .flatMap(
                        i -> i % 10 == 3
                                ? appends.reactive().append(new byte[0]).onErrorComplete()
                                : appends.reactive().append(bytes("line " + i + "\n")),
                        50)
                .collectList()
                .block(Duration.ofSeconds(30));

        assertThat(done).hasSize(45);
        assertThat(log.toString(java.nio.charset.StandardCharsets.UTF_8).lines())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 50)
                        .filter(i -> i % 10 != 3)
                        .mapToObj(i -> "line " + i)
                        .toList());
        assertThat(blobs.requested("HEAD", "")).hasSize(1);
    }

    @Test
    @DisplayName(
            "OUTCOME-6: an append for a position of the caller goes there and nowhere else, and the next one behind it")
    void appendsWhereTheCallerSays() {
        log.writeBytes(bytes("before"));

        assertThat(appends.append(bytes("one"), 6).offset()).isEqualTo(6);
        assertThat(appends.append(bytes("two")).offset()).isEqualTo(9);
        assertThat(blobs.requested("HEAD", "")).isEmpty();
        for (long elsewhere : new long[] {0, 6, 13}) {
            assertThatExceptionOfType(PreconditionFailedException.class)
                    .isThrownBy(() -> appends.append(bytes("six"), elsewhere))
                    .withMessageContaining("for position " + elsewhere)
                    .withMessageContaining("the blob has 12 bytes");
        }
        assertThat(log).hasToString("beforeonetwo");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> appends.append(bytes("one"), -1))
                .withMessageContaining("position is 0 or more, not -1");
    }

    @Test
    @DisplayName(
            "OUTCOME-6: an append for a position of the caller, repeated by a later call, is refused and appends nothing")
    void aRepetitionAppendsNothing() {
        appends.append(bytes("one"), 0);

        assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(() -> appends.append(bytes("one"), 0));
        assertThat(log).hasToString("one");
        assertThat(appends.maxAppend()).isEqualTo(100 << 20);
    }

    @Test
    @DisplayName("OUTCOME-6: making the blob never empties one that is there")
    void makesOnlyWhatIsNotThere() {
        assertThat(appends.createIfMissing()).isTrue();
        assertThat(blobs.requested().get(0).header("If-None-Match")).isEqualTo("*");
        assertThat(blobs.requested().get(0).header("x-ms-blob-type")).isEqualTo("AppendBlob");
        blobs.respond(request -> BlobStubResponse.refusal(409, "BlobAlreadyExists"));
        assertThat(appends.createIfMissing()).isFalse();
        assertThatExceptionOfType(ConflictException.class).isThrownBy(appends::create);
        blobs.respond(request -> BlobStubResponse.refusal(409, "LeaseIdMissing"));
        assertThatExceptionOfType(ConflictException.class).isThrownBy(appends::createIfMissing);
    }

    @Test
    void saysWhenThereIsNoBlob() {
        blobs.respond(request -> BlobStubResponse.refusal(404, "BlobNotFound"));

        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> appends.append(bytes("one")))
                .satisfies(e -> assertThat(e.failure().operation()).isEqualTo("append"));
    }

    @Test
    void saysWhenItCannotReadAResponse() {
        blobs.respond(request -> request.method().equals("GET")
                ? BlobStubResponse.refusal(403, "AuthorizationFailure")
                : usual(request).without("x-ms-request-server-encrypted"));

        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> appends.append(bytes("one")))
                .withCauseInstanceOf(ProtocolException.class)
                .withMessageContaining("reading back failed")
                .satisfies(e -> assertThat(e.failure().operation()).isEqualTo("append"))
                .satisfies(e -> assertThat(e.failure().unansweredAttempts()).isEqualTo(1));
    }

    @Test
    void refusesSizesThatTheServiceDoes() {
        for (int size : new int[] {0, 100 * 1024 * 1024 + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> appends.append(new byte[size]))
                    .withMessageContaining("1 to 104857600 bytes, not " + size);
        }
        assertThat(blobs.requested()).isEmpty();
    }
}
