package io.stowline.transport.internal.netty;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * An address of a host, as one candidate of several for a connection. It reports how the connect ended, so that the next resolution of the
 * host may give another one first. Thread-safe.
 */
final class CandidateAddress extends InetSocketAddress {

    private static final long serialVersionUID = 1L;

    private final boolean followed;
    private final transient LateAddresses lateAddresses;

    /**
     * A candidate.
     *
     * @param followed whether another candidate comes after it
     * @param lateAddresses takes the end of its connects
     */
    CandidateAddress(InetAddress address, int port, boolean followed, LateAddresses lateAddresses) {
        super(address, port);
        this.followed = followed;
        this.lateAddresses = lateAddresses;
    }

    /** Returns whether another candidate comes after it, to which a connection can be made in its place. */
    boolean followed() {
        return followed;
    }

    /** Reports that it has not connected in time, or not at all. */
    void late() {
        lateAddresses.late(this);
    }

    /** Reports that it has connected. */
    void connected() {
        lateAddresses.connected(this);
    }
}
