package io.stowline.caching.internal.engine;

import io.stowline.caching.internal.entry.CacheAnswer;

/** Sees to an answer that comes after its reader has left: it may hold a file. Thread-safe. */
final class LateDelivery {

    private boolean left;

    /** From now on no answer is taken. One that was given is its receiver's. */
    synchronized void leave() {
        left = true;
    }

    void give(CacheAnswer answer) {
        boolean late;
        synchronized (this) {
            late = left;
        }
        if (late) {
            answer.close();
        }
    }
}
