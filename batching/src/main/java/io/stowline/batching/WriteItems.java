package io.stowline.batching;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The items of one {@link WriteRun}: those without a result, and the results that wait to be handed out. */
final class WriteItems<C, R> {

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<TaggedResult<C, R>> results = new ArrayDeque<>();
    private @Nullable WriteItem<C, R> first;

    /** Notes what would cancel an item, unless its result has come. */
    void enter(WriteItem<C, R> item, Submission<R> submission) {
        lock.lock();
        try {
            if (!item.landed) {
                item.submission = submission;
                item.next = first;
                if (first != null) {
                    first.prev = item;
                }
                first = item;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Has a result wait in the place of its item. */
    void land(WriteItem<C, R> item, Object outcome) {
        lock.lock();
        try {
            item.landed = true;
            if (item.submission != null) {
                unlink(item);
            }
            results.add(new TaggedResult<>(item.tag, outcome));
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    TaggedResult<C, R> poll() {
        lock.lock();
        try {
            return results.poll();
        } finally {
            lock.unlock();
        }
    }

    void clear() {
        lock.lock();
        try {
            results.clear();
        } finally {
            lock.unlock();
        }
    }

    /** What would cancel the items without a result. */
    List<Submission<R>> open() {
        lock.lock();
        try {
            List<Submission<R>> open = new ArrayList<>();
            for (WriteItem<C, R> item = first; item != null; item = item.next) {
                if (item.submission != null) {
                    open.add(item.submission);
                }
            }
            return open;
        } finally {
            lock.unlock();
        }
    }

    private void unlink(WriteItem<C, R> item) {
        if (item.prev == null) {
            first = item.next;
        } else {
            item.prev.next = item.next;
        }
        if (item.next != null) {
            item.next.prev = item.prev;
        }
        item.prev = null;
        item.next = null;
        item.submission = null;
    }
}
