package io.stowline.transport.internal.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A server that responds to each request with a head, and then sends the same bytes until the client hangs up. */
final class HostileServer implements AutoCloseable {

    private final ServerSocket listening;
    private final byte[] head;
    private final byte[] again;
    private final AtomicLong written = new AtomicLong();
    private final Queue<Socket> clients = new ConcurrentLinkedQueue<>();
    private final CountDownLatch hungUp = new CountDownLatch(1);

    HostileServer(String head, String again) {
        this.head = head.getBytes(StandardCharsets.ISO_8859_1);
        this.again = again.getBytes(StandardCharsets.ISO_8859_1);
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "hostile-server");
        thread.setDaemon(true);
        thread.start();
    }

    String root() {
        return "http://127.0.0.1:" + listening.getLocalPort() + "/acct";
    }

    /** Returns the number of bytes that it could write, the buffers of both sides included. */
    long written() {
        return written.get();
    }

    boolean hungUp() throws InterruptedException {
        return hungUp.await(30, TimeUnit.SECONDS);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                clients.add(client);
                start(() -> respond(client));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void respond(Socket client) {
        try (client) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                // the head of the request
            }
            OutputStream out = client.getOutputStream();
            out.write(head);
            // A write of no bytes does not fail, whatever the other side has done.
            while (again.length == 0 && in.read() >= 0) {
                // the client says more
            }
            while (again.length > 0) {
                out.write(again);
                out.flush();
                written.addAndGet(again.length);
            }
            hungUp.countDown();
        } catch (IOException gone) {
            hungUp.countDown();
        }
    }

    /** Hangs up, too: a client that still reads would keep a thread of each side busy during all later tests. */
    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket client : clients) {
            client.close();
        }
    }
}
