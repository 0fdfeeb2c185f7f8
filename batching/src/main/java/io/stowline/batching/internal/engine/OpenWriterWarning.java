package io.stowline.batching.internal.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hook that warns when the process ends while a writer that was not closed holds items, and reports closes that wait or abandon items. It closes nothing and waits for nothing. There
 * is one hook, as long as a writer is open, so that a class loader without open writers is not held. Thread-safe.
 */
final class OpenWriterWarning {

    private static final Logger LOG = LoggerFactory.getLogger(OpenWriterWarning.class);

    /** Weak, so that the watch does not keep a writer that was lost without a close. */
    private final Set<EngineBatcher<?, ?, ?>> open = Collections.newSetFromMap(new WeakHashMap<>());

    private final Consumer<Thread> addHook;
    private final Consumer<Thread> removeHook;
    private final Consumer<String> warn;
    private final Consumer<String> inform;
    private @Nullable Thread hook;

    /**
     * A warning over a registry of threads that run at the end of the process.
     *
     * @param addHook registers a thread
     * @param removeHook forgets it
     */
    OpenWriterWarning(
            Consumer<Thread> addHook, Consumer<Thread> removeHook, Consumer<String> warn, Consumer<String> inform) {
        this.addHook = addHook;
        this.removeHook = removeHook;
        this.warn = warn;
        this.inform = inform;
    }

    /** Logs that a close waits for these items. */
    void waiting(String what) {
        inform.accept(what);
    }

    /** Logs that a close has ended without these items. */
    void abandoned(String what) {
        warn.accept(what);
    }

    static OpenWriterWarning shared() {
        return Shared.WATCH;
    }

    synchronized void opened(EngineBatcher<?, ?, ?> writer) {
        open.add(writer);
        if (hook == null) {
            Thread made = new Thread(this::report, "stowline-batching-exit");
            made.setContextClassLoader(OpenWriterWarning.class.getClassLoader());
            try {
                addHook.accept(made);
                hook = made;
            } catch (IllegalStateException ending) {
                // The process ends already, and nothing can be added any more.
                open.clear();
            }
        }
    }

    synchronized void closed(EngineBatcher<?, ?, ?> writer) {
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
        List<EngineBatcher<?, ?, ?>> all;
        synchronized (this) {
            all = new ArrayList<>(open);
        }
        for (EngineBatcher<?, ?, ?> writer : all) {
            String signature = buffered(writer);
            if (signature != null) {
                warn.accept(signature);
            }
        }
    }

    /** Null when the writer has no items, or is being closed. */
    private static <K, I, R> @Nullable String buffered(EngineBatcher<K, I, R> writer) {
        EngineLock<K, I, R> engine = writer.engine();
        WriterBuffer<K, I, R> buffer = writer.buffer();
        engine.enter();
        try {
            if (writer.barriers().isClosing() || buffer.items() == 0) {
                return null;
            }
            Object[] first = new Object[1];
            Consumer<QueueNode<K, I, R>> warn = node -> {
                if (first[0] == null && node instanceof BufferedItem<K, I, R> entry && entry.batcher() == writer) {
                    first[0] = entry.item;
                }
            };
            engine.lanes().forEachInFlight(warn);
            engine.lanes().forEachQueued(warn);
            return "the process ends while a writer that was not closed holds " + buffer.items() + " items, "
                    + buffer.bytes() + " bytes; what is not sent by then is lost. One of them is: " + first[0];
        } finally {
            engine.leave();
        }
    }

    /** The one of the process, apart from the class, so that another one leads to no writer of it. */
    private static final class Shared {

        private static final OpenWriterWarning WATCH = new OpenWriterWarning(
                Runtime.getRuntime()::addShutdownHook, Runtime.getRuntime()::removeShutdownHook, LOG::warn, LOG::info);
    }
}
