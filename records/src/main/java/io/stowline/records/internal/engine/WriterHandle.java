package io.stowline.records.internal.engine;

import java.lang.ref.Cleaner;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one object that all faces of a writer share. When the application has lost all of them without a close, the writer is closed without
 * a wait, and a warning names the place that opened it. Thread-safe.
 */
public final class WriterHandle {

    private static final Logger LOG = LoggerFactory.getLogger("io.stowline.leaks");

    private final RecordEngine engine;
    private final Cleaner.Cleanable watch;
    private final boolean warnAtExit;

    /**
     * Watches an engine.
     *
     * @param warnAtExit whether the end of the process warns of its records
     */
    public WriterHandle(RecordEngine engine, boolean warnAtExit) {
        this.engine = engine;
        this.warnAtExit = warnAtExit;
        this.watch = Lost.CLEANER.register(this, new Lost(engine, warnAtExit));
        if (warnAtExit) {
            OpenWriters.shared().opened(engine);
        }
    }

    RecordEngine engine() {
        return engine;
    }

    CompletableFuture<Void> close() {
        CompletableFuture<Void> ended = engine.close();
        var unused = ended.whenComplete((nothing, error) -> {
            if (warnAtExit) {
                OpenWriters.shared().closed(engine);
            }
        });
        Lost.closed(watch);
        return ended;
    }

    /** The end of a writer that was lost. It must not refer to the handle that it watches. */
    private static final class Lost implements Runnable {

        private static final Cleaner CLEANER = Cleaner.create(Lost::thread);

        private final RecordEngine engine;
        private final boolean warnAtExit;
        private final Throwable made;

        Lost(RecordEngine engine, boolean warnAtExit) {
            this.engine = engine;
            this.warnAtExit = warnAtExit;
            this.made = new Throwable("the writer was opened here");
        }

        private static Thread thread(Runnable work) {
            Thread thread = new Thread(work, "stowline-records-leaks");
            thread.setDaemon(true);
            return thread;
        }

        static void closed(Cleaner.Cleanable watch) {
            watch.clean();
        }

        @Override
        public void run() {
            if (!engine.isClosing()) {
                LOG.warn("a writer of {} became unreachable without close(): it is closed now", engine.writer(), made);
                var unused = engine.close().whenComplete((nothing, error) -> {
                    if (warnAtExit) {
                        OpenWriters.shared().closed(engine);
                    }
                });
            }
        }
    }
}
