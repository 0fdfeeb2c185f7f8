package io.stowline.batching;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;

/** An explicit transaction, sent alone and whole; guarded by the engine's lock. */
final class Group<K, I, R> extends Node<K, I, R> implements Load<K, I, R> {

    final Lane<K, I, R> lane;
    /** The callback that asked for it, and may wait for it. */
    final Callbacks.@Nullable Call asker = Callbacks.current();

    private final List<Described<I>> items;
    private final MonoSink<List<R>> sink;

    Group(Lane<K, I, R> lane, List<Described<I>> items, MonoSink<List<R>> sink) {
        this.lane = lane;
        this.items = items;
        this.sink = sink;
    }

    @Override
    public List<I> items() {
        return items.stream().map(Described::item).toList();
    }

    @Override
    public int size() {
        return items.size();
    }

    @Override
    public List<Named> entities() {
        return items.stream().map(Described::entity).toList();
    }

    @Override
    public @Nullable Expiry<K, I, R> firstDue() {
        return expiry;
    }

    @Override
    public List<Batcher<K, I, R>> writers() {
        return List.of();
    }

    @Override
    public boolean isWanted() {
        return state != State.TERMINAL;
    }

    /** The first entity with a conditional item for which there is an answer. */
    @Nullable
    Named firstConditional(Predicate<Named> entity) {
        for (Described<I> each : items) {
            if (each.conditional() && entity.test(each.entity())) {
                return each.entity();
            }
        }
        return null;
    }

    void deliver(List<R> results) {
        sink.success(results);
    }

    void fail(Throwable error) {
        sink.error(error);
    }
}
