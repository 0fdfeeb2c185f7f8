package io.stowline.transport.internal.netty.direct;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.netty.channel.embedded.EmbeddedChannel;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.http.CollectingSink;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.Standstill;
import io.stowline.transport.internal.netty.HttpWire;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Parts of 8 MiB from the pipeline to the socket, over lines of little bandwidth in virtual time. */
@Timeout(60)
class SlowLinesTest {

    private static final int PART = 8 << 20;
    private static final String CREATED = "HTTP/1.1 201 Created|x-ms-request-id: r-1|Content-Length: 0||";

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final EmbeddedPool server = new EmbeddedPool(1);
    private final Standstill standstill = new Standstill(timer);
    private final byte[] content = new byte[PART];
    private final StoragePipeline pipeline = new StoragePipeline(
            Bench.account().credential().authorizer(Service.BLOB),
            HttpWire.telling(new EmbeddedClient()),
            Bench.limits(1, timer),
            new TimeSources(timer, () -> Long.MIN_VALUE, Clock.systemUTC()),
            Bench.unheard(Service.BLOB));

    SlowLinesTest() {
        new Random(1).nextBytes(content);
    }

    /** Sends over the embedded channels. */
    private final class EmbeddedClient implements HttpClient {

        @Override
        public Mono<HttpResponse> send(HttpRequest request) {
            return new Mono<>() {
                @Override
                public void subscribe(CoreSubscriber<? super HttpResponse> actual) {
                    actual.onSubscribe(new PendingResponse(
                            (DirectRequest) request, DirectRequest.address(request), server.pool, actual));
                }
            };
        }
    }

    @AfterEach
    void close() {
        server.close();
        timer.dispose();
    }

    private Outcome<Integer> start(Request request) {
        Exchange<Integer> part = Exchange.of(
                        request, RetrySettings.defaults(), response -> new ParseResult.Value<>(response.status()))
                .with(options -> options.countingStandstill(standstill));
        Outcome<Integer> outcome = new Bench().start(pipeline.send(part));
        server.settle();
        return outcome;
    }

    private Outcome<Integer> upload() {
        return start(Request.of("upload", "c/b", OperationType.WRITE, HttpMethod.PUT, "http://server.test/c/b")
                .body("application/octet-stream", RequestBody.of(content)));
    }

    private void pass(Duration time) {
        timer.advanceTimeBy(time);
        server.settle();
    }

    private void second() {
        pass(Duration.ofSeconds(1));
    }

    /** The attempt's time is over in a second; the next attempt follows. */
    private void timesOut(EmbeddedChannel channel) {
        assertThat(channel.isOpen()).isTrue();
        second();
        assertThat(channel.isOpen()).isFalse();
        pass(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @DisplayName("TRANSFER-7: an upload that moves never times out: 1 Mbit/s, and a sixtieth of it")
    @ValueSource(ints = {125_000, 2_000})
    void uploads(int bytesPerSecond) throws Exception {
        Outcome<Integer> outcome = upload();
        NarrowChannel channel = new NarrowChannel();
        server.connect(channel);
        for (int sent = 0; sent < PART + 1_000; sent += bytesPerSecond) {
            second();
            channel.take(bytesPerSecond);
            assertThat(outcome.ended()).isFalse();
        }
        server.receive(channel, CREATED);
        assertThat(outcome.value()).isEqualTo(201);
        assertThat(channel.maxWaiting()).isLessThan(640 << 10);
        byte[] taken = channel.taken();
        assertThat(Arrays.copyOfRange(taken, taken.length - PART, taken.length)).isEqualTo(content);
    }

    private Outcome<Integer> download(CollectingSink sink) {
        return start(Request.of("download", "c/b", OperationType.READ, HttpMethod.GET, "http://server.test/c/b")
                .costing(new RequestCost("b", 1, PART))
                .into(sink));
    }

    @ParameterizedTest
    @DisplayName("TRANSFER-7: a download that moves never times out")
    @ValueSource(ints = {125_000, 2_000})
    void downloads(int bytesPerSecond) {
        CollectingSink sink = new CollectingSink();
        Outcome<Integer> outcome = download(sink);
        EmbeddedChannel channel = server.connect();
        server.receive(channel, "HTTP/1.1 200 OK|x-ms-request-id: r-1|Content-Length: " + PART + "||");
        String piece = "x".repeat(bytesPerSecond);
        for (int left = PART; left > 0; left -= bytesPerSecond) {
            assertThat(outcome.ended()).isFalse();
            second();
            server.receive(channel, piece.substring(0, Math.min(left, bytesPerSecond)));
        }
        assertThat(outcome.value()).isEqualTo(200);
        assertThat(sink.bytes()).hasSize(PART);
    }

    @Test
    @DisplayName(
            "TRANSFER-7: a disk that takes nothing for an hour is no standstill of the line; a line that gives nothing"
                    + " after it is")
    void aSlowDisk() {
        CollectingSink sink = new CollectingSink().fill();
        Outcome<Integer> outcome = download(sink);
        EmbeddedChannel first = server.connect();
        server.receive(first, "HTTP/1.1 200 OK|x-ms-request-id: r-1|Content-Length: " + PART + "||hello");
        pass(Duration.ofHours(1));
        assertThat(first.isOpen()).isTrue();
        assertThat(sink.begun()).hasSize(1);

        sink.drain();
        server.settle();
        pass(Duration.ofSeconds(34));
        timesOut(first);
        server.receive(server.connect(), "HTTP/1.1 200 OK|x-ms-request-id: r-1|Content-Length: 5||world");
        assertThat(outcome.value()).isEqualTo(200);
        assertThat(sink.text()).isEqualTo("helloworld");
    }

    @Test
    @DisplayName("TRANSFER-7: a line that stands still ends its attempt, and the next one sends the part again")
    void standsStill() {
        Outcome<Integer> outcome = upload();
        NarrowChannel first = new NarrowChannel();
        server.connect(first);
        for (int i = 0; i < 100; i++) {
            first.take(70_000);
            pass(Duration.ofSeconds(34));
        }
        timesOut(first);
        NarrowChannel second = new NarrowChannel();
        server.connect(second);
        second.take(PART + 1_000);
        server.receive(second, CREATED);
        assertThat(outcome.value()).isEqualTo(201);
    }
}
