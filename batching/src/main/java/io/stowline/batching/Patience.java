package io.stowline.batching;

import java.util.Comparator;
import java.util.PriorityQueue;

/** The writers that try, by the time when they may give up: each at most once; under the engine's lock. */
final class Patience<K, I, R> {

    private final Engine<K, I, R> engine;
    private final PriorityQueue<Look<K, I, R>> looks =
            new PriorityQueue<>(Comparator.<Look<K, I, R>>comparingLong(Look::at));

    private record Look<K, I, R>(Batcher<K, I, R> writer, long at) {}

    Patience(Engine<K, I, R> engine) {
        this.engine = engine;
    }

    void dispatched(Batcher<K, I, R> writer) {
        Progress progress = writer.progress();
        progress.dispatched(engine.now());
        look(writer);
    }

    void answered(Batcher<K, I, R> writer) {
        writer.progress().answered(engine.now());
    }

    /** When a writer has to be looked at next. */
    long due() {
        Look<K, I, R> next = looks.peek();
        return next == null ? Lane.NEVER : next.at();
    }

    void timeOver(long now) {
        for (Look<K, I, R> next = looks.peek(); next != null && next.at() <= now; next = looks.peek()) {
            looks.remove();
            Batcher<K, I, R> writer = next.writer();
            writer.progress().watched = false;
            if (writer.broken == null && writer.progress().due() <= now) {
                engine.shutdown().giveUp(writer);
            } else {
                look(writer);
            }
        }
    }

    /** A success before that time only means that it is looked at again then. */
    private void look(Batcher<K, I, R> writer) {
        Progress progress = writer.progress();
        long due = progress.due();
        if (!progress.watched && writer.broken == null && due != Lane.NEVER) {
            progress.watched = true;
            looks.add(new Look<>(writer, due));
        }
    }
}
