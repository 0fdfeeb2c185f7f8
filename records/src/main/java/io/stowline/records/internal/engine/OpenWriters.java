package io.stowline.records.internal.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hook that warns when the process ends while a writer that was not closed holds records in memory. It closes nothing and waits for
 * nothing. There is one hook as long as a writer is open, so that a class loader without open writers is not kept. Thread-safe.
 */
final class OpenWriters {

    private static final Logger LOG = LoggerFactory.getLogger(OpenWriters.class);

    private final Set<RecordEngine> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Consumer<Thread> addHook;
    private final Consumer<Thread> removeHook;
    private final Consumer<String> warn;
    private @Nullable Thread hook;

    /**
     * A warning over a registry of threads that run at the end of the process.
     *
     * @param addHook registers a thread
     * @param removeHook forgets it
     */
    OpenWriters(Consumer<Thread> addHook, Consumer<Thread> removeHook, Consumer<String> warn) {
        this.addHook = addHook;
        this.removeHook = removeHook;
        this.warn = warn;
    }

    static OpenWriters shared() {
        return Shared.WATCH;
    }

    synchronized void opened(RecordEngine writer) {
        open.add(writer);
        if (hook == null) {
            Thread made = new Thread(this::report, "stowline-records-exit");
            made.setContextClassLoader(OpenWriters.class.getClassLoader());
            try {
                addHook.accept(made);
                hook = made;
            } catch (IllegalStateException ending) {
                // The process ends already, and nothing can be added any more.
                open.clear();
            }
        }
    }

    synchronized void closed(RecordEngine writer) {
        open.remove(writer);
        Thread made = hook;
        if (made != null && open.isEmpty()) {
            hook = null;
            try {
                removeHook.accept(made);
            } catch (IllegalStateException ending) {
                // It runs, or has run, and finds nothing.
            }
        }
    }

    private void report() {
        List<RecordEngine> all;
        synchronized (this) {
            all = new ArrayList<>(open);
        }
        for (RecordEngine writer : all) {
            long records = writer.unsafeRecords();
            if (records > 0) {
                warn.accept("the process ends while a writer of " + writer.writer() + " that was not closed holds "
                        + records + " records in memory; what is not delivered by then is lost");
            }
        }
    }

    /** The one of the process, apart from the class, so that another one leads to no writer of it. */
    private static final class Shared {

        private static final OpenWriters WATCH = new OpenWriters(
                Runtime.getRuntime()::addShutdownHook, Runtime.getRuntime()::removeShutdownHook, LOG::warn);
    }
}
