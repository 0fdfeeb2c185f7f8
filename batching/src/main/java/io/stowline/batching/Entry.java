package io.stowline.batching;

import org.jspecify.annotations.Nullable;

/** One item of a writer; all guarded by the engine's lock. */
final class Entry<K, I, R> extends Node<K, I, R> {

    final Object entity;
    I item;
    int size;
    boolean conditional;
    long due;
    Submission<R> submission;

    @Nullable
    Waiter waiter;

    @Nullable
    Entry<K, I, R> prevSame;

    @Nullable
    Entry<K, I, R> nextSame;

    private @Nullable Share<K, I, R> share;

    Entry(Described<I> given, Submission<R> submission) {
        this.item = given.item();
        this.entity = given.entity();
        this.size = given.size();
        this.conditional = given.conditional();
        this.submission = submission;
        submission.entry = this;
    }

    void place(Share<K, I, R> share) {
        this.share = share;
    }

    Share<K, I, R> share() {
        if (share == null) {
            throw new IllegalStateException("an item without a lane");
        }
        return share;
    }

    Batcher<K, I, R> batcher() {
        return share().batcher;
    }

    Lane<K, I, R> lane() {
        return share().lane;
    }

    boolean isMerged() {
        return submission.merged != null;
    }
}
