package io.stowline.examples.registrations;

import io.stowline.table.EntityWriteResult;
import io.stowline.table.ReactiveIndexedTable;
import io.stowline.table.Table;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Writes the runners of all imports, some at a time. No one waits for a single row, so that it has more time than a request has. */
@Component
class RunnerWriter {

    private static final int IN_FLIGHT = 32;
    private static final int RETRIES = 20;
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private final ReactiveIndexedTable<Runner> table;
    private final Semaphore room = new Semaphore(IN_FLIGHT);

    RunnerWriter(Table<Runner> runners) {
        this.table = Runners.indexed(
                        runners.withRetry(retry -> retry.deadline(DEADLINE).retries(RETRIES)))
                .reactive();
    }

    /** Inserts a runner with its index rows, and waits for room before; the callback gets the result or the failure. */
    void insert(Runner runner, BiConsumer<@Nullable EntityWriteResult, @Nullable Throwable> done) {
        room.acquireUninterruptibly();
        table.insert(runner)
                .doFinally(signal -> room.release())
                .subscribe(written -> done.accept(written, null), failure -> done.accept(null, failure));
    }
}
