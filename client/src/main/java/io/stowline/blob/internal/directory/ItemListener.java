package io.stowline.blob.internal.directory;

import io.stowline.blob.TransferReport.Item;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import io.stowline.transport.internal.concurrent.UserCode;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The application's listener of items: it is notified of each item once, one call at a time. What it throws is contained. Thread-safe. */
final class ItemListener {

    private static final Logger LOG = LoggerFactory.getLogger(ItemListener.class);

    private final Consumer<? super Item> listener;
    private final SerialExecutor calls = new SerialExecutor();

    /** Ended items on their way to the listener. */
    private final Set<Item> unreported =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    private boolean failed;

    ItemListener(Consumer<? super Item> listener) {
        this.listener = listener;
    }

    /** Expects an item that a later call reports. */
    void expect(Item item) {
        unreported.add(item);
    }

    void accept(Item item) {
        if (unreported.remove(item)) {
            calls.execute(() -> call(item));
        }
    }

    /**
     * Reports all items after the end of the transfer, which drops those on their way to the listener, and ends those
     * in flight.
     */
    void acceptTheRest(List<Item> rest) {
        for (Item item : unreported.toArray(Item[]::new)) {
            accept(item);
        }
        for (Item item : rest) {
            calls.execute(() -> call(item));
        }
    }

    /** Returns whether this thread runs the listener, which holds up the next items. */
    boolean isCurrent() {
        return calls.isCurrent();
    }

    private void call(Item item) {
        try {
            listener.accept(item);
        } catch (Throwable e) {
            if (!failed) {
                failed = true;
                LOG.warn("a listener of items has failed; its next failures are not logged", UserCode.printable(e));
            }
        }
    }
}
