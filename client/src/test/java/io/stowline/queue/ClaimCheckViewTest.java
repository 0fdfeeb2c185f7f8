package io.stowline.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.Stowline;
import io.stowline.error.UnreachableException;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

@Timeout(60)
@DisplayName("A view of a queue is a view of the requests for its bodies in blobs")
class ClaimCheckViewTest {

    private static final HttpHeaderName MARK = HttpHeaderName.fromString("x-mark");
    private static final byte[] LARGE = new byte[100_000];

    private final MemoryStorage memory = MemoryStorage.create();
    private final HttpClient service = memory.httpClient();
    private final List<HttpRequest> unmarked = new CopyOnWriteArrayList<>();
    private volatile boolean blobsHang;
    private final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .closeTimeout(Duration.ofMillis(50))
            .httpClient(this::send)
            .build();

    private Mono<HttpResponse> send(HttpRequest request) {
        if (!"marked".equals(request.getHeaders().getValue(MARK))) {
            unmarked.add(request);
        }
        boolean hangs = blobsHang && request.getUrl().getPath().contains("/bodies/");
        return hangs ? Mono.never() : service.send(request);
    }

    @BeforeEach
    void create() {
        storage.container("bodies").create();
        storage.queue("orders").create();
        unmarked.clear();
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private MessageQueue<byte[]> queue(boolean before, UnaryOperator<MessageQueue<byte[]>> view) {
        MessageQueue<byte[]> plain = storage.queue("orders", byte[].class);
        MessageQueue<byte[]> viewed =
                (before ? view.apply(plain) : plain).withEnvelope(e -> e.claimCheck(storage.container("bodies")));
        return before ? viewed : view.apply(viewed);
    }

    @ParameterizedTest
    @DisplayName("a send ends by the deadline of the queue where the container does not respond")
    @ValueSource(booleans = {true, false})
    void deadline(boolean beforeEnvelope) {
        MessageQueue<byte[]> queue = queue(
                beforeEnvelope, each -> each.withRetry(retry -> retry.retries(0).deadline(Duration.ofMillis(100))));
        blobsHang = true;

        assertThatThrownBy(() -> queue.send(LARGE)).isInstanceOf(UnreachableException.class);
    }

    @ParameterizedTest
    @DisplayName("a header is on the requests for bodies, also on the way to the poison queue and back")
    @ValueSource(booleans = {true, false})
    void header(boolean beforeEnvelope) {
        MessageQueue<byte[]> queue = queue(beforeEnvelope, each -> each.withHeader("x-mark", "marked"));

        queue.send(LARGE);
        queue.hold(queue.receive().orElseThrow()).poison("broken");
        assertThat(queue.poison().redrive(all -> true)).isEqualTo(1);
        queue.delete(queue.receive().orElseThrow());

        assertThat(unmarked).isEmpty();
        assertThat(storage.container("bodies").stream()).isEmpty();
    }

    @Test
    @DisplayName("without a view of the queue the settings of the container hold")
    void container() {
        MessageQueue<byte[]> queue = storage.queue("orders", byte[].class)
                .withEnvelope(e -> e.claimCheck(storage.container("bodies")
                        .withRetry(retry -> retry.retries(0).deadline(Duration.ofMillis(100)))));
        blobsHang = true;

        assertThatThrownBy(() -> queue.send(LARGE)).isInstanceOf(UnreachableException.class);
    }
}
