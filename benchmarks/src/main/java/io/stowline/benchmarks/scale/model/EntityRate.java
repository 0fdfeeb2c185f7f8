package io.stowline.benchmarks.scale.model;

/** The target of an account or partition: a bucket of entities that holds those of one second. Used by one thread. */
final class EntityRate {

    private final double perNano;
    private final double capacity;
    private double level;
    private long last;

    EntityRate(int perSecond) {
        this.perNano = perSecond / 1e9;
        this.capacity = perSecond;
        this.level = perSecond;
    }

    /** Returns whether the entities are below the target at this time. */
    boolean allows(long now, int entities) {
        level = Math.min(capacity, level + (now - last) * perNano);
        last = now;
        return level >= entities;
    }

    /** Takes entities; the level becomes negative by one second's at most. */
    void take(double entities) {
        level = Math.max(-capacity, level - entities);
    }
}
