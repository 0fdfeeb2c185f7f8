package io.stowline.testkit;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.RecordedExchange.Ending;
import io.stowline.testkit.internal.proxy.SkippingWaiter;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of requests that wait, when their client does not. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FaultProxyDropTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    final RequestHold hold = new RequestHold();
    TinyServer server;

    @BeforeEach
    void start() throws IOException {
        server = new TinyServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void doesNotForwardWhatItsClientNoLongerWaitsFor(boolean reset) throws Exception {
        try (FaultProxy proxy =
                FaultProxy.builder().inFrontOf(server.endpoint()).start()) {
            proxy.when(requests()).holdBefore(hold);
            leave(proxy, reset);

            proxy.awaitIdle(PATIENCE);
            hold.release();

            assertThat(proxy.recorded()).singleElement().satisfies(exchange -> {
                assertThat(exchange.ending()).isEqualTo(Ending.DROPPED);
                assertThat(exchange.reason()).isEqualTo("the client had gone");
                assertThat(exchange.served()).isEmpty();
            });
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void doesNotForwardWhatIsReleasedAfterItsClientWent() throws Exception {
        try (FaultProxy proxy =
                FaultProxy.builder().inFrontOf(server.endpoint()).start()) {
            proxy.when(requests()).holdBefore(hold);
            leave(proxy, true);

            hold.release();
            proxy.awaitIdle(PATIENCE);

            assertThat(proxy.recorded()).extracting(RecordedExchange::ending).containsExactly(Ending.DROPPED);
            assertThat(server.requests()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void throwsAwayTheResponseThatItsClientNoLongerWaitsFor(boolean reset) throws Exception {
        try (FaultProxy proxy =
                FaultProxy.builder().inFrontOf(server.endpoint()).start()) {
            proxy.when(requests()).holdAfter(hold);
            leave(proxy, reset);

            proxy.awaitIdle(PATIENCE);

            assertThat(proxy.recorded()).singleElement().satisfies(exchange -> {
                assertThat(exchange.ending()).isEqualTo(Ending.DROPPED);
                assertThat(exchange.served()).isPresent();
                assertThat(exchange.response()).isEmpty();
            });
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void dropsADelayedRequestToo() throws Exception {
        try (FaultProxy proxy =
                FaultProxy.builder().inFrontOf(server.endpoint()).start()) {
            proxy.when(requests()).delayBefore(Duration.ofHours(1)).holdBefore(hold);
            try (RawClient client = new RawClient(proxy.endpoint())) {
                client.get("/");
            }

            awaitRecorded(proxy);
            proxy.awaitIdle(PATIENCE);

            assertThat(proxy.recorded()).extracting(RecordedExchange::ending).containsExactly(Ending.DROPPED);
            assertThat(hold.arrivals()).isZero();
        }
    }

    @Test
    void doesNotForwardAfterTheTimeoutThatTheClientRequested() throws Exception {
        SkippingWaiter waiter = new SkippingWaiter();
        try (FaultProxy proxy =
                FaultProxy.builder().inFrontOf(server.endpoint()).waiter(waiter).start()) {
            proxy.when(requests()).holdBefore(hold);

            HttpResponse<String> response = Http.get(proxy.endpoint(), "/queue?timeout=2");

            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.headers().firstValue("x-ms-error-code")).contains("OperationTimedOut");
            assertThat(response.body()).contains("<Code>OperationTimedOut</Code>");
            assertThat(waiter.waitedMillis()).isEqualTo(2_000);
            assertThat(server.requests()).isEmpty();
            assertThat(proxy.recorded()).singleElement().satisfies(exchange -> {
                assertThat(exchange.ending()).isEqualTo(Ending.DROPPED);
                assertThat(exchange.reason()).isEqualTo("its timeout of 2 s had passed");
            });
        }
    }

    @Test
    void throwsAwayTheResponseAfterTheTimeoutThatTheClientRequested() throws Exception {
        try (FaultProxy proxy = FaultProxy.builder()
                .inFrontOf(server.endpoint())
                .waiter(new SkippingWaiter())
                .start()) {
            proxy.when(requests()).delayAfter(Duration.ofSeconds(3)).loseResponse();

            assertThat(Http.get(proxy.endpoint(), "/x?timeout=2").statusCode()).isEqualTo(500);

            assertThat(server.requests()).hasSize(1);
            assertThat(proxy.recorded().get(0).ending()).isEqualTo(Ending.DROPPED);
            assertThat(proxy.recorded().get(0).served()).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/x?timeout=3", "/x?timeout=soon", "/x?timeout=0", "/x", "/x?timeout=99999999999"})
    void waitsAsLongAsTheClientDoes(String path) throws Exception {
        try (FaultProxy proxy = FaultProxy.builder()
                .inFrontOf(server.endpoint())
                .waiter(new SkippingWaiter())
                .start()) {
            proxy.when(requests()).delayBefore(Duration.ofSeconds(2));

            assertThat(Http.get(proxy.endpoint(), path).body()).isEqualTo("GET applied");
        }
    }

    private void leave(FaultProxy proxy, boolean reset) throws IOException {
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.get("/left");
            hold.awaitArrived(PATIENCE);
            if (reset) {
                client.reset();
            }
        }
    }

    private static void awaitRecorded(FaultProxy proxy) {
        while (proxy.traffic().requests() == 0) {
            LockSupport.parkNanos(100_000);
        }
    }
}
