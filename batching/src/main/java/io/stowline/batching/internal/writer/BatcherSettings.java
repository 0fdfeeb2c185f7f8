package io.stowline.batching.internal.writer;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Settings of one writer as the engine reads them; checked by their implementation, and constant. */
public interface BatcherSettings {

    /** Returns how long an idle lane waits for a fuller batch, counted from the batch's first item. */
    Duration linger();

    /** Returns the most items that are accepted and not terminal, or terminal until their callbacks have run. */
    int bufferItems();

    /** Returns the most bytes of such items. */
    long bufferBytes();

    /** Returns how long a submit waits for room. */
    Duration submitTimeout();

    /** Returns the time from its acceptance in which an item must have its end, or null without a limit. */
    @Nullable
    Duration deliveryTimeout();

    /** Returns how long the writer may be without any success before it breaks, or null when it never gives up. */
    @Nullable
    Duration giveUpAfter();

    /** Returns how long a close waits for what is buffered. */
    Duration closeTimeout();

    /** Returns whether a queued item and a later one of its entity are sent as one. */
    boolean coalesce();

    /** Returns whether the failure of an item fails the queued items of its entity. */
    boolean stopEntityOnFailure();

    /** Returns whether a warning is logged when the process ends while the writer holds items and was not closed. */
    boolean warnAtExit();

    /** Returns the listener of each item that fails, called on the callback executor, or null. */
    @Nullable
    Consumer<? super FailedItem> onFailure();

    /** Returns the executor of the callbacks, or null for the engine's. */
    @Nullable
    Executor callbacks();
}
