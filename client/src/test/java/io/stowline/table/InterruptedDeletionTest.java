package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.Stowline;
import io.stowline.error.FailureDetails;
import io.stowline.error.StorageInterruptedException;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** Blocking deletions of what a query finds whose thread is interrupted while a request has no response. */
@Timeout(60)
class InterruptedDeletionTest {

    private static final HttpHeaders JSON =
            new HttpHeaders().set(HttpHeaderName.CONTENT_TYPE, "application/json;odata=minimalmetadata");

    private final Thread caller = Thread.currentThread();
    private final Stowline storage = Stowline.builder()
            .httpClient(this::played)
            .closeTimeout(Duration.ofMillis(100))
            .connectionString("DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=a2V5")
            .build();
    private volatile String silent = "";

    @AfterEach
    void close() {
        Thread.interrupted();
        storage.close();
    }

    /** The first page has the partition a, the second one b. A silent request interrupts the caller. */
    private Mono<HttpResponse> played(HttpRequest request) {
        String url = request.getUrl().toString();
        boolean second = url.contains("NextPartitionKey");
        boolean read = request.getHttpMethod() == HttpMethod.GET;
        String step = read ? (second ? "page 2" : "page 1") : url.contains("PartitionKey='a'") ? "a" : "b";
        if (step.equals(silent)) {
            return Mono.<HttpResponse>never().doOnSubscribe(begun -> caller.interrupt());
        }
        if (!read) {
            HttpHeaders id = new HttpHeaders().set(HttpHeaderName.fromString("x-ms-request-id"), "r-1");
            return Mono.just(SimulatedConnection.response(request, 204, id, new byte[0]));
        }
        HttpHeaders headers = new HttpHeaders(JSON);
        if (!second) {
            headers.set(HttpHeaderName.fromString("x-ms-continuation-NextPartitionKey"), "b");
        }
        return Mono.just(SimulatedConnection.response(request, 200, headers, entity(second ? "b" : "a")));
    }

    private static byte[] entity(String partition) {
        return ("{\"value\":[{\"odata.etag\":\"W/\\\"1\\\"\",\"PartitionKey\":\"" + partition
                        + "\",\"RowKey\":\"r\"}]}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private StorageInterruptedException interruptedIn(String step) {
        silent = step;
        StorageInterruptedException thrown = catchThrowableOfType(
                StorageInterruptedException.class,
                () -> storage.table("notes").query().deleteAll());
        assertThat(Thread.interrupted()).as("the flag").isTrue();
        return thrown;
    }

    @Test
    @DisplayName("RETRY-8: an interrupt before the first page of a deleteAll says that no deletion was in flight")
    void nothingDeleted() {
        StorageInterruptedException thrown = interruptedIn("page 1");

        FailureDetails details = thrown.failure().orElseThrow();
        assertThat(details.operation()).isEqualTo("deleteAll");
        assertThat(details.resource()).isEqualTo("notes");
        assertThat(details.attempts()).isZero();
        assertThat(details.unansweredAttempts()).isZero();
        assertThat(thrown).hasMessageContainingAll("no request had gone out", "0 deletions were confirmed before");
    }

    @Test
    @DisplayName("RETRY-8: an interrupt of a deleteAll with a deletion in flight says that it may have been applied")
    void inFlight() {
        StorageInterruptedException thrown = interruptedIn("a");

        FailureDetails details = thrown.failure().orElseThrow();
        assertThat(details.operation()).isEqualTo("deleteAll");
        assertThat(details.unansweredAttempts()).isEqualTo(1);
        assertThat(thrown).hasMessageContainingAll("a request had gone out", "deletions were confirmed before");
    }
}
