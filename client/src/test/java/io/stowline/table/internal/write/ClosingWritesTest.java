package io.stowline.table.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.outcome.WriteResult;
import io.stowline.table.internal.request.Operations;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.http.FakeWire;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The outcome of a write that is between two of its requests when its client is closed. */
@Timeout(60)
class ClosingWritesTest {

    private static final String DATE = "Thu, 29 Feb 2024 12:00:00 GMT";
    private static final String LONG_AGO = "2024-02-28T00:00:00Z";
    private static final Duration WHOLE_HORIZON = Duration.ofSeconds(40);

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();
    private final ClientRuntime runtime = bench.connection();
    private final TableOperations operations = Operations.client(runtime.to(Service.TABLE));

    @BeforeEach
    void lostAndRefused() {
        wire.breaks(new IOException("reset"));
    }

    private Bench.Outcome<WriteResult> waiting() {
        wire.responds(409, Bench.jsonError("EntityAlreadyExists", "text"));
        stored();
        Bench.Outcome<WriteResult> write = bench.start(operations.write(Operations.insert("r0")));
        bench.pass(Duration.ofSeconds(5));
        assertThat(wire.sent()).as("the write, its retry and one look").hasSize(3);
        assertThat(write.ended()).as("it waits for its horizon").isFalse();
        return write;
    }

    private void stored() {
        wire.responds(200, Entities.json("r0", "theirs", LONG_AGO, null), "ETag", "W/\"7\"", "Date", DATE);
    }

    @Test
    @DisplayName("OUTCOME-0: closing waits for a write that waits for its horizon, and lets it look again")
    void waitsForTheHorizon() throws Exception {
        Bench.Outcome<WriteResult> write = waiting();
        stored();
        CompletableFuture<Void> closed = runtime.close(Duration.ofMinutes(2)).toFuture();
        assertThat(closed).isNotDone();

        bench.pass(WHOLE_HORIZON);
        assertThat(write.storageError()).isExactlyInstanceOf(ConflictException.class);
        closed.get(20, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("OUTCOME-0: closing that cannot wait ends such a write as unknown, and says what is known")
    void endsTheWait() throws Exception {
        Bench.Outcome<WriteResult> write = waiting();
        CompletableFuture<Void> closed = runtime.close(Duration.ofSeconds(3)).toFuture();

        bench.pass(Duration.ofSeconds(3));
        StorageException failure = write.storageError();
        assertThat(failure)
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("not carried out so far, but for 27000 ms more it may be")
                .hasMessageContaining("this Stowline was closed before that");
        assertThat(failure.failure().unansweredAttempts()).isPositive();
        closed.get(20, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("OUTCOME-0: a read-back that closing ends leaves the write unknown")
    void endsTheLook() throws Exception {
        wire.responds(409, Bench.jsonError("EntityAlreadyExists", "text")).staysSilent();
        Bench.Outcome<WriteResult> write = bench.start(operations.write(Operations.insert("r0")));
        bench.pass(Duration.ofSeconds(5));
        CompletableFuture<Void> closed = runtime.close(Duration.ofSeconds(3)).toFuture();

        bench.pass(Duration.ofSeconds(3));
        assertThat(write.storageError()).isInstanceOf(OutcomeUnknownException.class);
        closed.get(20, TimeUnit.SECONDS);
    }
}
