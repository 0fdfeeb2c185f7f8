package io.stowline;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server that takes requests, responds with a given beginning, or not at all, and reports when the client hangs up.
 */
final class SilentServer implements AutoCloseable {

    private final ServerSocket socket;
    private final byte[] beginning;
    private final AtomicInteger connections = new AtomicInteger();
    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch hungUp = new CountDownLatch(1);

    SilentServer() {
        this("");
    }

    SilentServer(String beginning) {
        this.beginning = beginning.getBytes(StandardCharsets.ISO_8859_1);
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "silent-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                connections.incrementAndGet();
                start(() -> hold(client));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void hold(Socket client) {
        try (client) {
            InputStream in = client.getInputStream();
            OutputStream out = client.getOutputStream();
            if (in.read() >= 0) {
                out.write(beginning);
                out.flush();
                requested.countDown();
            }
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException reset) {
            // Hanging up with something unread is a reset.
        } finally {
            hungUp.countDown();
        }
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Waits for the first request. */
    void awaitRequest() throws InterruptedException {
        if (!requested.await(30, TimeUnit.SECONDS)) {
            throw new AssertionError("nothing was asked");
        }
    }

    /** Returns whether the client has ended its first connection. */
    boolean clientHungUp() throws InterruptedException {
        return hungUp.await(30, TimeUnit.SECONDS);
    }

    int connections() {
        return connections.get();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
