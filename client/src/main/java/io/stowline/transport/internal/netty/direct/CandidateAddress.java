package io.stowline.transport.internal.netty.direct;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * An address of a host, as one candidate of several for a connection. It reports how the connect ended, so that the next resolution of the
 * host may give another one first. Thread-safe.
 */
public final class CandidateAddress extends InetSocketAddress {

    private static final long serialVersionUID = 1L;

    private final boolean followed;
    private final transient ConnectReports reports;

    /**
     * A candidate.
     *
     * @param followed whether another candidate comes after it
     * @param reports takes the end of its connects
     */
    public CandidateAddress(InetAddress address, int port, boolean followed, ConnectReports reports) {
        super(address, port);
        this.followed = followed;
        this.reports = reports;
    }

    /** Returns whether another candidate comes after it, to which a connection can be made in its place. */
    boolean followed() {
        return followed;
    }

    /** Reports that it has not connected in time, or not at all. */
    void late() {
        reports.late(this);
    }

    /** Reports that it has connected. */
    void connected() {
        reports.connected(this);
    }

    /** Receiver of the ends of connects; called on the event loop of the connection. */
    public interface ConnectReports {

        /** Takes note of an address that has not connected in time, or not at all. */
        void late(InetSocketAddress address);

        /** Takes note of an address that has connected. */
        void connected(InetSocketAddress address);
    }
}
