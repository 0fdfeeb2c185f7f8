package io.stowline.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.observe.ClientInfo.ConnectionInfo;
import io.stowline.retry.Backoff;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

@DisplayName("the facts of a client, read while it runs")
class ClientInfoTest {

    /** Keeps the last state. */
    private static final class Opened implements StowlineListener {

        private ServiceState state;

        @Override
        public void onServiceOpened(ServiceState opened) {
            state = opened;
        }
    }

    private static ClientInfo info(UnaryOperator<Stowline.Builder> settings) {
        Opened opened = new Opened();
        Stowline.Builder builder = Stowline.builder()
                .connectionString("AccountName=acct;AccountKey=a2V5;TableEndpoint=http://127.0.0.1:1/acct")
                .listener(opened);
        try (Stowline storage = settings.apply(builder).build()) {
            assertThat(storage.table("notes").name()).isEqualTo("notes");
            assertThat(opened.state.clockSkew()).isZero();
            return opened.state.client();
        }
    }

    @Test
    @DisplayName("A3: Nagle's algorithm is off, and the pool has a connection for each attempt")
    void defaults() {
        ClientInfo info = info(builder -> builder.parallelism(5));

        ConnectionInfo connections = info.connections();
        assertThat(connections).isNotNull();
        assertThat(connections.noDelay()).isTrue();
        assertThat(connections.keepAlive()).isTrue();
        assertThat(connections.compressed()).isFalse();
        assertThat(connections.httpVersion()).isEqualTo("HTTP/1.1");
        assertThat(connections.maxConnections()).isGreaterThan(info.maxParallelism());
        assertThat(connections.maxIdle()).isPositive().isLessThan(Duration.ofMinutes(4));
        assertThat(connections.maxAge()).isEqualTo(Duration.ofMinutes(10));
        assertThat(info.maxParallelism()).isEqualTo(5);
        assertThat(info.libraryVersion()).isNotEmpty();
        assertThat(info.azureCoreVersion()).startsWith("1.");
        assertThat(info.serviceVersion()).isEqualTo("2022-11-02");
        assertThat(info.cache()).isFalse();
        assertThat(info.rateTargets()).isFalse();
        assertThat(info.retryQuota()).isTrue();
    }

    @Test
    void settings() {
        ClientInfo info = info(builder -> builder.retry(retry ->
                        retry.backoff(Backoff.fixed(Duration.ofSeconds(3))).retries(2))
                .cache(cache -> cache)
                .rateTargets(targets -> targets)
                .serviceVersion("2021-12-02"));

        assertThat(info.retry().backoff()).isEqualTo(Backoff.fixed(Duration.ofSeconds(3)));
        assertThat(info.retry().retries()).isEqualTo(2);
        assertThat(info.cache()).isTrue();
        assertThat(info.rateTargets()).isTrue();
        assertThat(info.serviceVersion()).isEqualTo("2021-12-02");
    }

    @Test
    @DisplayName("an HTTP client of the application keeps its connections to itself")
    void foreignClient() {
        assertThat(info(builder -> builder.httpClient(request -> Mono.never())).connections())
                .isNull();
    }
}
