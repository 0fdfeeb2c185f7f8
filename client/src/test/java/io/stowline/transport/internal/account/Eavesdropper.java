package io.stowline.transport.internal.account;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps the first bytes of each connection and hangs up: what an onlooker on the way would see. */
final class Eavesdropper implements AutoCloseable {

    private static final int MAX = 16_384;

    private final ServerSocket listening;
    private final List<byte[]> heard = new CopyOnWriteArrayList<>();

    Eavesdropper() {
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread thread = new Thread(this::accept, "eavesdropper");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Returns the first bytes of each connection that sent anything. */
    List<byte[]> heard() {
        return heard;
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** A record of TLS that begins a handshake. */
    static boolean encrypted(byte[] bytes) {
        return bytes.length > 2 && bytes[0] == 0x16 && bytes[1] == 3;
    }

    private void accept() {
        try {
            while (true) {
                try (Socket client = listening.accept()) {
                    hear(client.getInputStream());
                } catch (IOException gone) {
                    if (listening.isClosed()) {
                        return;
                    }
                }
            }
        } catch (RuntimeException e) {
            heard.add(e.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private void hear(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[MAX];
        int n = in.read(buffer);
        while (n > 0) {
            bytes.write(buffer, 0, n);
            n = bytes.size() < MAX && in.available() > 0 ? in.read(buffer) : 0;
        }
        if (bytes.size() > 0) {
            heard.add(bytes.toByteArray());
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
