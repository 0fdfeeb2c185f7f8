package io.stowline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A loopback port that refuses connections: a socket that does not listen reserves it, so that no other process listens there. */
public final class RefusingPort implements AutoCloseable {

    private final Socket reserved = new Socket();

    public RefusingPort() {
        try {
            reserved.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int number() {
        return reserved.getLocalPort();
    }

    @Override
    public void close() {
        try {
            reserved.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
