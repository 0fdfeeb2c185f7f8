package io.stowline;

import static io.stowline.blob.BlobTagFilter.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.Transfer;
import io.stowline.error.StorageInterruptedException;
import io.stowline.table.Entity;
import io.stowline.table.Query;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Waits for pages, and for transfers that read them, whose thread is interrupted while a page has no response. */
@Timeout(60)
class InterruptedReadsTest {

    private final Thread caller = Thread.currentThread();
    private final AtomicBoolean interrupted = new AtomicBoolean();
    private final Stowline storage = Stowline.builder()
            .httpClient(this::silent)
            .closeTimeout(Duration.ofMillis(100))
            .connectionString("DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=a2V5")
            .build();

    @AfterEach
    void close() {
        Thread.interrupted();
        storage.close();
    }

    private Mono<HttpResponse> silent(HttpRequest request) {
        return Mono.<HttpResponse>never().doOnSubscribe(begun -> {
            if (interrupted.compareAndSet(false, true)) {
                caller.interrupt();
            }
        });
    }

    private StorageInterruptedException interrupted(Runnable read) {
        StorageInterruptedException thrown = catchThrowableOfType(StorageInterruptedException.class, read::run);
        assertThat(Thread.interrupted()).as("the flag").isTrue();
        return thrown;
    }

    private static Arguments query(String name, Consumer<Query<Entity>> read) {
        return Arguments.of(name, read);
    }

    static List<Arguments> queries() {
        return List.of(
                query("list", Query::list),
                query("stream", query -> query.stream().forEach(each -> {})),
                query("count", Query::count),
                query("parts", query -> query.partitions(List.of("a", "b")).list()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("queries")
    @DisplayName("RETRY-8: an interrupt of a query says that nothing that was sent may have been applied")
    void saysThatNothingMayHaveBeenApplied(String name, Consumer<Query<Entity>> read) {
        StorageInterruptedException thrown =
                interrupted(() -> read.accept(storage.table("notes").query()));

        assertThat(thrown).hasMessageContaining("no request had gone out that may have been applied: query notes");
        assertThat(thrown.failure()).hasValueSatisfying(details -> assertThat(details.unansweredAttempts())
                .isZero());
    }

    private static Arguments listing(String name, Consumer<BlobContainer> read) {
        return Arguments.of(name, read);
    }

    static List<Arguments> listings() {
        return List.of(
                listing("list", files -> files.stream().forEach(each -> {})),
                listing("findByTags", files -> files.findByTags(tag("a").equalTo("b"))
                        .forEach(each -> {})),
                listing("walk", files -> files.walk("", "/", entry -> true).forEach(each -> {})));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("listings")
    @DisplayName("RETRY-8: an interrupt of a listing says that nothing was written")
    void saysThatNothingWasWritten(String name, Consumer<BlobContainer> read) {
        assertThat(interrupted(() -> read.accept(storage.container("files"))))
                .hasMessageContaining("nothing was written");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("an interrupt of a wait for a transfer, before it or in it, says that the transfer goes on")
    void transferGoesOn(boolean before) {
        interrupted.set(before);
        Transfer transfer = storage.container("files").deleteDirectory("a/", directory -> directory);
        if (before) {
            caller.interrupt();
        }

        assertThat(interrupted(transfer::join)).hasMessageContaining("the transfer, which goes on");
        assertThat(transfer.whenComplete().toFuture()).isNotDone();
    }
}
