package io.stowline.testkit;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The making of a proxy, and its end without leftovers. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FaultProxyLifecycleTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final URI NOWHERE = URI.create("http://127.0.0.1:1/account");

    @Test
    void leavesNoThreadsBehind() throws Exception {
        CountDownLatch requested = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        try (RawServer silent = new RawServer((number, socket) -> {
            RawServer.head(socket);
            requested.countDown();
            RawServer.head(socket);
            never.countDown();
        })) {
            FaultProxy proxy = FaultProxy.builder().inFrontOf(silent.endpoint()).start();
            RequestHold hold = new RequestHold();
            proxy.when(requests().path("/held")).holdBefore(hold);
            try (RawClient idle = new RawClient(proxy.endpoint());
                    RawClient waiting = new RawClient(proxy.endpoint());
                    RawClient held = new RawClient(proxy.endpoint())) {
                waiting.get("/unanswered");
                held.get("/held");
                requested.await();
                hold.awaitArrived(PATIENCE);
                assertThat(threads(proxy)).hasSize(4);

                proxy.close();
                proxy.close();

                assertThreadsEnd(proxy);
                for (RawClient client : List.of(idle, waiting, held)) {
                    assertThatThrownBy(client::rest).isInstanceOf(IOException.class);
                }
                assertThatThrownBy(() -> new RawClient(proxy.endpoint())).isInstanceOf(ConnectException.class);
            }
        }
    }

    @Test
    void canBeClosedWhileItRefuses() throws InterruptedException {
        FaultProxy proxy = FaultProxy.builder().inFrontOf(NOWHERE).start();
        proxy.refuse();

        proxy.close();
        proxy.accept();

        assertThreadsEnd(proxy);
        assertThatThrownBy(() -> new RawClient(proxy.endpoint())).isInstanceOf(ConnectException.class);
    }

    @Test
    void endsARequestUnderWayAsReset() throws Exception {
        FaultProxy proxy = FaultProxy.builder().inFrontOf(NOWHERE).start();
        RequestHold hold = new RequestHold();
        proxy.when(requests()).holdBefore(hold);
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.get("/");
            hold.awaitArrived(PATIENCE);

            proxy.close();

            assertThat(proxy.recorded()).singleElement().satisfies(exchange -> assertThat(exchange.ending())
                    .isIn(RecordedExchange.Ending.RESET, RecordedExchange.Ending.DROPPED));
        }
    }

    @Test
    void showsItsSeedAndItsPorts() {
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(NOWHERE).seed(42).start()) {
            assertThat(proxy)
                    .hasToString(
                            "FaultProxy[ports=[" + proxy.endpoint().getPort() + "], before=" + NOWHERE + ", seed=42]");
            assertThat(proxy.endpoint().getPath()).isEqualTo("/account");
        }
    }

    @Test
    void rejectsSettingsByNamingThem() {
        FaultProxy.Builder builder = FaultProxy.builder();

        assertThatThrownBy(builder::start).hasMessageContaining("inFrontOf(...)");
        assertThatThrownBy(() -> builder.recordedExchanges(0)).hasMessage("recordedExchanges must be at least 1: 0");
        assertThatThrownBy(() -> builder.maxBody(-1)).hasMessage("maxBody must be 0 to 2147483639: -1");
        assertThatThrownBy(() -> builder.inFrontOf(URI.create("https://127.0.0.1/")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("https://127.0.0.1/");
    }

    @Test
    void standsInFrontOfNoHttpsAccount() {
        TestStorage https = TestStorage.external("AccountName=a;AccountKey=c2VjcmV0;"
                + "TableEndpoint=https://a.table.example/;QueueEndpoint=http://127.0.0.1:1/a");

        assertThatThrownBy(() -> FaultProxy.builder().inFrontOf(https))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("https://a.table.example/")
                .hasMessageContaining(TestStorage.VARIABLE)
                .hasMessageNotContaining("c2VjcmV0");
    }

    @Test
    void movesOnlyTheEndpointsOfAnAccount() {
        TestStorage direct = TestStorage.external("AccountName=a;AccountKey=c2VjcmV0;"
                + "TableEndpoint=http://127.0.0.1:1/a;QueueEndpoint=http://127.0.0.1:2/a");
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(direct).start()) {
            assertThat(proxy.storage().connectionString())
                    .isEqualTo("AccountName=a;AccountKey=c2VjcmV0;TableEndpoint="
                            + proxy.endpoint(StorageService.TABLE) + ";QueueEndpoint="
                            + proxy.endpoint(StorageService.QUEUE) + ";");
            assertThat(proxy.storage())
                    .asString()
                    .isEqualTo("TestStorage[" + TestStorage.VARIABLE + " through a fault proxy]");
            assertThat(proxy.endpoint(StorageService.TABLE).getPort()).isNotEqualTo(1);
            assertThatThrownBy(() -> proxy.endpoint(StorageService.BLOB)).hasMessageContaining("BLOB");
            assertThatThrownBy(proxy::endpoint).hasMessageContaining("name the service");
        }
    }

    @Test
    void hasNoAccountInFrontOfASingleEndpoint() {
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(NOWHERE).start()) {
            assertThatThrownBy(proxy::storage).hasMessageContaining("http://127.0.0.1:1/account");
            assertThatThrownBy(() -> proxy.endpoint(StorageService.TABLE)).hasMessageContaining("TABLE");
        }
    }

    /** A pool has ended before the last of its threads has. */
    private static void assertThreadsEnd(FaultProxy proxy) throws InterruptedException {
        for (Thread thread : threads(proxy).toList()) {
            thread.join(PATIENCE.toMillis());
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
    }

    private static Stream<Thread> threads(FaultProxy proxy) {
        String prefix = proxy.toString().replaceAll(".*ports=\\[(\\d+).*", "faultproxy-$1-");
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .filter(thread -> thread.getName().startsWith(prefix));
    }
}
