package io.stowline.batching;

import java.util.List;
import reactor.core.publisher.MonoSink;

/** An explicit transaction, sent alone and whole; guarded by the engine's lock. */
final class Group<K, I, R> extends Node<K, I, R> implements Load<K, I, R> {

    final Lane<K, I, R> lane;
    private final List<I> items;
    private final MonoSink<List<R>> sink;

    Group(Lane<K, I, R> lane, List<I> items, MonoSink<List<R>> sink) {
        this.lane = lane;
        this.items = items;
        this.sink = sink;
    }

    @Override
    public List<I> items() {
        return items;
    }

    void deliver(List<R> results) {
        sink.success(results);
    }

    void fail(Throwable error) {
        sink.error(error);
    }
}
