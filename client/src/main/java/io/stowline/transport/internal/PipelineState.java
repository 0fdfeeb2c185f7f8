package io.stowline.transport.internal;

import io.stowline.observe.ServiceState;

/** The state of a pipeline, for listeners. */
record PipelineState(String account, String service, Limits limits, Backlog backlog) implements ServiceState {

    @Override
    public int permitLimit() {
        return limits.gates().account().limit();
    }

    @Override
    public int permitsInUse() {
        return limits.gates().account().inUse();
    }

    @Override
    public int permitsWaiting() {
        return limits.gates().account().waiting();
    }

    @Override
    public int limitedPartitions() {
        return limits.gates().limitedPartitions();
    }

    @Override
    public double quotaAvailable() {
        return limits.quota().available();
    }

    @Override
    public double quotaCapacity() {
        return limits.quota().capacity();
    }

    @Override
    public long bufferedItems() {
        return backlog.items();
    }

    @Override
    public long bufferedBytes() {
        return backlog.bytes();
    }

    @Override
    public long pausedWriters() {
        return backlog.paused();
    }

    @Override
    public String breaker() {
        return limits.breaker().state();
    }
}
