package io.stowline.retry.internal.gate;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The partitions that have not responded to their last attempts, the newest of them (decision 27). Safe for use by many threads. */
final class SilentPartitions<K> {

    private static final int MAX = 10_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<K> silent = new LinkedHashSet<>();
    private volatile int size;

    int size() {
        return size;
    }

    boolean has(@Nullable K partition) {
        if (size == 0 || partition == null) {
            return false;
        }
        lock.lock();
        try {
            return silent.contains(partition);
        } finally {
            lock.unlock();
        }
    }

    void add(@Nullable K partition) {
        if (partition == null) {
            return;
        }
        lock.lock();
        try {
            silent.add(partition);
            if (silent.size() > MAX) {
                Iterator<K> eldest = silent.iterator();
                eldest.next();
                eldest.remove();
            }
            size = silent.size();
        } finally {
            lock.unlock();
        }
    }

    void remove(@Nullable K partition) {
        if (size == 0 || partition == null) {
            return;
        }
        lock.lock();
        try {
            silent.remove(partition);
            size = silent.size();
        } finally {
            lock.unlock();
        }
    }
}
