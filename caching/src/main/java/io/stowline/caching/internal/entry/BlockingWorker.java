package io.stowline.caching.internal.entry;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * A worker for work that blocks, on threads that may block. A reader that leaves does not interrupt it, for that would close the files that it uses; its
 * failures are counted and not passed on. Thread-safe.
 */
public final class BlockingWorker {

    private final Scheduler scheduler;
    private final CacheCounts counts;

    public BlockingWorker(Scheduler scheduler, CacheCounts counts) {
        this.scheduler = scheduler;
        this.counts = counts;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    public void fault(String what, Throwable failure) {
        counts.fault(what, failure);
    }

    Mono<Void> run(String failed, Runnable task) {
        return this.<Boolean>call(
                        failed,
                        () -> {
                            task.run();
                            return null;
                        },
                        nothing -> {})
                .then();
    }

    /**
     * Returns the outcome of a task, empty if it has none or has failed; an outcome without a reader goes to {@code
     * unwanted}.
     */
    public <T> Mono<T> call(String failed, Supplier<@Nullable T> task, Consumer<T> unwanted) {
        return Mono.defer(() -> {
            AtomicBoolean taken = new AtomicBoolean();
            return Mono.<T>create(sink -> scheduler.schedule(() -> {
                        T found = attempt(failed, task, sink);
                        if (found != null && !taken.get()) {
                            unwanted.accept(found);
                        }
                    }))
                    .onErrorResume(rejected -> {
                        counts.fault(failed, rejected);
                        return Mono.empty();
                    })
                    .doOnNext(value -> taken.set(true));
        });
    }

    private <T> @Nullable T attempt(String failed, Supplier<@Nullable T> task, MonoSink<T> sink) {
        T found = null;
        try {
            found = task.get();
        } catch (VirtualMachineError e) {
            counts.fault(failed, e);
            sink.success();
            throw e;
        } catch (Throwable e) { // the reader would wait for ever after an error of any kind
            counts.fault(failed, e);
        }
        sink.success(found);
        return found;
    }
}
