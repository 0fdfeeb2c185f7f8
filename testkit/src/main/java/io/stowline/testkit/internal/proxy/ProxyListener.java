package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.StorageService;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A loopback port behind which one endpoint lies. Can be shut and opened again, always at the same port. */
public final class ProxyListener implements Closeable {

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int BACKLOG = 1024;

    private final @Nullable StorageService service;
    private final Supplier<InetSocketAddress> upstream;
    private final Set<ClientConnection> lines = ConcurrentHashMap.newKeySet();
    private final InetSocketAddress address;
    private ServerSocket listening;
    private @Nullable SocketChannel placeholder;
    private boolean accepting;
    private boolean closed;

    /**
     * Opens a door at a port chosen by the operating system.
     *
     * @param service the service behind it, or {@code null} for none in particular
     * @param upstream where the endpoint is, called for each request
     * @throws IOException if there is no free port
     */
    public ProxyListener(@Nullable StorageService service, Supplier<InetSocketAddress> upstream) throws IOException {
        this.service = service;
        this.upstream = upstream;
        this.listening = listen(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0));
        this.address = (InetSocketAddress) listening.getLocalSocketAddress();
    }

    private static ServerSocket listen(InetSocketAddress address) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(address, BACKLOG);
        return socket;
    }

    /**
     * Returns the service behind this door.
     *
     * @return {@code null} for none in particular
     */
    public @Nullable StorageService service() {
        return service;
    }

    /**
     * Returns the port.
     *
     * @return a port that stays the same
     */
    public int port() {
        return address.getPort();
    }

    Supplier<InetSocketAddress> upstream() {
        return upstream;
    }

    /** Lets a connection in, so that it ends when the door is shut. */
    synchronized void enter(ClientConnection line) {
        lines.add(line);
        if (listening.isClosed()) {
            line.reset();
        }
    }

    void leave(ClientConnection line) {
        lines.remove(line);
    }

    /** Returns the next connection; waits while the door is shut. */
    Socket accept() throws IOException, InterruptedException {
        while (true) {
            ServerSocket open = awaitOpen();
            try {
                return open.accept();
            } catch (IOException e) {
                if (!open.isClosed()) {
                    throw e;
                }
            } finally {
                accepted();
            }
        }
    }

    private synchronized ServerSocket awaitOpen() throws IOException, InterruptedException {
        while (listening.isClosed() && !closed) {
            wait();
        }
        if (closed) {
            throw new IOException("the proxy was closed");
        }
        accepting = true;
        return listening;
    }

    private synchronized void accepted() {
        accepting = false;
        notifyAll();
    }

    /**
     * Shuts the door: connections are refused, and those that are there are reset.
     *
     * @throws IOException if the port cannot be held
     * @throws InterruptedException if the thread was interrupted
     */
    public synchronized void shut() throws IOException, InterruptedException {
        if (!closed && !listening.isClosed()) {
            listening.close();
            // Linux goes on listening until the thread that accepts has noticed.
            while (accepting) {
                wait();
            }
            hold();
        }
        lines.forEach(ClientConnection::reset);
    }

    // Bound and not listening: connections are refused, and no other program is given the port.
    private void hold() throws IOException {
        SocketChannel holder = SocketChannel.open();
        holder.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        holder.bind(address);
        placeholder = holder;
    }

    /**
     * Opens the door again. Has no effect on an open one.
     *
     * @throws IOException if the port cannot be had
     */
    public synchronized void open() throws IOException {
        if (!closed && listening.isClosed()) {
            letGo();
            listening = listen(address);
            notifyAll();
        }
    }

    private void letGo() throws IOException {
        SocketChannel holder = placeholder;
        placeholder = null;
        if (holder != null) {
            holder.close();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        listening.close();
        letGo();
        lines.forEach(ClientConnection::reset);
        notifyAll();
    }
}
