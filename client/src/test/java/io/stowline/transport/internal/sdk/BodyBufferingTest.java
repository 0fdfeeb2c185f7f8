package io.stowline.transport.internal.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.util.BinaryData;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.sdk.ExternalSdkRequests.BodyBuffering;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class BodyBufferingTest {

    private static final byte[] DATA = {1, 2, 3, 4};

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final BodyBuffering held = new BodyBuffering(4, Duration.ofSeconds(60), timer);

    private static HttpRequest request(BinaryData body) {
        return new HttpRequest(HttpMethod.PUT, Bench.ROOT).setBody(body);
    }

    /** Sent as by the SDK: the length is in the header alone. */
    private static HttpRequest streamed(Flux<ByteBuffer> body, int length) {
        return new HttpRequest(HttpMethod.PUT, Bench.ROOT)
                .setBody(body)
                .setHeader(HttpHeaderName.CONTENT_LENGTH, Integer.toString(length));
    }

    private static InputStream once() {
        return new FilterInputStream(new ByteArrayInputStream(DATA)) {
            @Override
            public boolean markSupported() {
                return false;
            }
        };
    }

    private Mono<Void> hold(HttpRequest request, boolean blocking) {
        return blocking ? held.holdBlocking(request) : held.hold(request);
    }

    private static void assertReplays(HttpRequest request) {
        BinaryData body = request.getBodyAsBinaryData();
        assertThat(body.isReplayable()).isTrue();
        for (int i = 0; i < 2; i++) {
            assertThat(BinaryData.fromFlux(request.getBody()).block().toBytes()).isEqualTo(DATA);
        }
        assertThat(request.getHeaders().getValue(HttpHeaderName.CONTENT_LENGTH)).isEqualTo("4");
    }

    @ParameterizedTest
    @DisplayName("RETRY-9: a body that can be read only once is held, up to the size, and can be read again then")
    @ValueSource(booleans = {true, false})
    void holds(boolean blocking) {
        HttpRequest stream = request(BinaryData.fromStream(once(), 4L));
        HttpRequest flux = streamed(Flux.just(ByteBuffer.wrap(DATA)), 4);

        hold(stream, blocking).block();
        hold(flux, blocking).block();

        assertReplays(stream);
        assertReplays(flux);
    }

    @ParameterizedTest
    @DisplayName("RETRY-9: a body that is larger, or of unknown size, is left alone")
    @ValueSource(booleans = {true, false})
    void leavesLargeOnesAlone(boolean blocking) {
        HttpRequest large = streamed(Flux.error(new AssertionError("read")), 5);
        HttpRequest unknown =
                new HttpRequest(HttpMethod.PUT, Bench.ROOT).setBody(Flux.error(new AssertionError("read")));
        HttpRequest none = new HttpRequest(HttpMethod.GET, Bench.ROOT);

        hold(large, blocking).block();
        hold(unknown, blocking).block();
        hold(none, blocking).block();

        assertThat(large.getBodyAsBinaryData().isReplayable()).isFalse();
        assertThat(unknown.getBodyAsBinaryData().isReplayable()).isFalse();
    }

    @Test
    void leavesReplayableOnesAlone() {
        BinaryData bytes = BinaryData.fromBytes(DATA);
        HttpRequest request = request(bytes);

        held.hold(request).block();

        assertThat(request.getBodyAsBinaryData()).isSameAs(bytes);
    }

    @Test
    void errorOfTheBodyComesOut() {
        HttpRequest broken = streamed(Flux.error(new IOException("disk")), 4);

        assertThat(catchThrowable(() -> held.hold(broken).block())).hasRootCauseMessage("disk");
        assertThat(catchThrowable(() -> held.holdBlocking(broken).block())).hasRootCauseMessage("disk");
    }

    @Test
    @DisplayName("RETRY-5: a body that does not come ends at the deadline")
    void bodyThatDoesNotCome() {
        CompletableFuture<Void> holding = held.hold(streamed(Flux.never(), 4)).toFuture();

        timer.advanceTimeBy(Duration.ofSeconds(60));

        assertThat(catchThrowable(holding::join)).hasCauseInstanceOf(TimeoutException.class);
    }
}
