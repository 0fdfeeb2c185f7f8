package io.stowline.blob.internal.lease;

/** A face of a lease, by which a container finds its holder. */
public interface LeaseFace {
    LeaseHolder holder();
}
