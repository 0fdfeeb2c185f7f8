package io.stowline.transport.internal.concurrent;

import java.lang.ref.Cleaner;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A detector that logs holders that the application has lost without closing them, with the place that made them. Thread-safe. */
public final class LeakDetector {

    private static final Logger LOG = LoggerFactory.getLogger("io.stowline.leaks");
    private static final LeakDetector SHARED = new LeakDetector(Cleaner.create(LeakDetector::thread), LOG::warn);

    private final Cleaner cleaner;
    private final BiConsumer<String, Throwable> report;

    LeakDetector(Cleaner cleaner, BiConsumer<String, Throwable> report) {
        this.cleaner = cleaner;
        this.report = report;
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "stowline-leak-watch");
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the watch of this process, which writes a warning to the log {@code io.stowline.leaks}. */
    public static LeakDetector shared() {
        return SHARED;
    }

    /**
     * Watches a holder.
     *
     * @param holder what must be closed
     * @param what how to call it, without secrets
     * @param open whether it is still open; what it holds stays as long as the holder is watched, and so would the holder itself
     * @return ends the watch; to be called when the holder has been closed
     */
    public Cleaner.Cleanable watch(Object holder, String what, BooleanSupplier open) {
        return watch(holder, what, open, "its threads, connections and buffers stay until the process ends");
    }

    /**
     * Watches a holder that is closed for the application once it is lost.
     *
     * @param holder what should be closed
     * @param what how to call it, without secrets
     * @param close closes what it holds, which must not refer to it; gives whether there was something to close
     * @return ends the watch; to be called when the holder has been closed
     */
    public Cleaner.Cleanable closing(Object holder, String what, BooleanSupplier close) {
        return watch(holder, what, close, "what it held is free again");
    }

    /**
     * Watches a holder.
     *
     * @param holder what must be closed
     * @param what how to call it, without secrets
     * @param open whether it is still open; what it holds stays as long as the holder is watched
     * @param then what becomes of what it holds
     * @return ends the watch; to be called when the holder has been closed
     */
    public Cleaner.Cleanable watch(Object holder, String what, BooleanSupplier open, String then) {
        Throwable made = new Throwable(what + " was made here");
        return cleaner.register(holder, () -> lost(what, made, open, then));
    }

    private void lost(String what, Throwable made, BooleanSupplier open, String then) {
        if (open.getAsBoolean()) {
            report.accept(what + " became unreachable without close(): " + then, made);
        }
    }
}
