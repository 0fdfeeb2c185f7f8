package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpClient;
import io.stowline.blob.BlobContainer;
import io.stowline.error.ClosedException;
import io.stowline.error.StorageException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.WaitInterruptedException;
import io.stowline.queue.MessageQueue;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class ErrorsTest {

    private static final String SECRET = "AccountName=acct;AccountKey=aHVuZHJlZHRyZWVz";

    private static Stowline through(HttpClient wire) {
        return Stowline.builder()
                .connectionString("DefaultEndpointsProtocol=https;EndpointSuffix=core.windows.net;" + SECRET)
                .retry(retry -> retry.retries(0))
                .httpClient(wire)
                .build();
    }

    private static Stowline failing(Throwable error) {
        return through(request -> Mono.error(error));
    }

    @Test
    @DisplayName("A closed client says so by one type, on both faces of every service")
    void closedIsOneType() {
        Stowline storage = failing(new IllegalStateException("nothing is sent"));
        Table<Entity> table = storage.table("people");
        MessageQueue<String> queue = storage.queue("q-1", String.class);
        BlobContainer blobs = storage.container("c-1");
        storage.close();

        assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> table.find("p", "r"));
        assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> queue.send("x"));
        assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> blobs.info("b"));
        assertThatExceptionOfType(ClosedException.class).isThrownBy(storage::listTables);
        List<Publisher<?>> reactive = List.of(
                table.reactive().find("p", "r"),
                table.reactive().query().partition("p").stream(),
                queue.reactive().send("x"),
                queue.reactive().receive(1),
                blobs.reactive().info("b"),
                blobs.reactive().stream(),
                storage.reactive().listTables());
        for (Publisher<?> call : reactive) {
            assertThat(catchThrowable(() -> Flux.from(call).blockLast()))
                    .as("%s", call)
                    .isInstanceOf(ClosedException.class)
                    .hasMessageContaining("this Stowline is closed");
        }
    }

    @Test
    @DisplayName("What an HttpClient throws comes as a type of the documented tree")
    void noInternalType() {
        List<Throwable> thrown = List.of(
                new RejectedExecutionException("the pool is shut down"),
                new TimeoutException("late"),
                new UnsupportedOperationException(SECRET),
                new Exception("a checked one"));
        for (Throwable each : thrown) {
            try (Stowline storage = failing(each)) {
                Table<Entity> table = storage.table("people");
                assertThatExceptionOfType(StorageException.class)
                        .isThrownBy(() -> table.find("p", "r"))
                        .withMessageNotContaining("aHVuZHJlZHRyZWVz");
                assertThatExceptionOfType(StorageException.class)
                        .isThrownBy(() -> table.reactive().find("p", "r").block());
            }
        }
    }

    @Test
    @DisplayName("A body that cannot be written is an illegal argument, and no internal type")
    void bodies() {
        try (Stowline storage = failing(new IllegalStateException("nothing is sent"))) {
            assertThatThrownBy(() -> storage.queue("q-1").send("\ud800"))
                    .isExactlyInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @DisplayName("One type catches every interrupt")
    void interrupts() {
        assertThat(new StorageInterruptedException(new InterruptedException()))
                .isInstanceOf(WaitInterruptedException.class);
    }
}
